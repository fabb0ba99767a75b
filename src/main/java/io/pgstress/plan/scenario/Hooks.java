package io.pgstress.plan.scenario;

import java.util.List;

/**
 * SQL to run on the first server around the blocks of a comparison; each text is sent separately.
 *
 * @param setup once, before the first block
 * @param reset before the warm-up of every block
 * @param teardown once, at the end, even if the comparison is interrupted
 */
public record Hooks(List<String> setup, List<String> reset, List<String> teardown) {
    public static final Hooks NONE = new Hooks(List.of(), List.of(), List.of());

    public Hooks {
        setup = List.copyOf(setup);
        reset = List.copyOf(reset);
        teardown = List.copyOf(teardown);
    }
}
