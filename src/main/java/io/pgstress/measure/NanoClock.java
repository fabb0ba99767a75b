package io.pgstress.measure;

/** The monotonic clock of a run, in nanoseconds from an arbitrary origin; tests advance their own. */
@FunctionalInterface
public interface NanoClock {
    /** {@link System#nanoTime()}, the only clock used for measurement. */
    NanoClock SYSTEM = System::nanoTime;

    long nanoTime();
}
