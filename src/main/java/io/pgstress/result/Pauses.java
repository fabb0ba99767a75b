package io.pgstress.result;

import java.util.List;
import java.util.Objects;

/**
 * The pauses of all clients while an operation was reset because its ids were used up; they are excluded from all other
 * figures.
 *
 * @param atSeconds start of each of the first thousand, in measured time
 */
public record Pauses(int count, double seconds, List<Double> atSeconds) {
    public Pauses {
        atSeconds = Objects.requireNonNullElse(atSeconds, List.of()); // older results do not have it
    }
}
