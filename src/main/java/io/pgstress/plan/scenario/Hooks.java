package io.pgstress.plan.scenario;

import java.util.List;

/**
 * SQL around the blocks of a comparison, run on the first server, each text by itself.
 *
 * @param setup once, before the first block
 * @param reset before every block, ahead of its warm-up
 * @param teardown once, at the end, also of an interrupted comparison
 */
public record Hooks(List<String> setup, List<String> reset, List<String> teardown) {
    public static final Hooks NONE = new Hooks(List.of(), List.of(), List.of());

    public Hooks {
        setup = List.copyOf(setup);
        reset = List.copyOf(reset);
        teardown = List.copyOf(teardown);
    }
}
