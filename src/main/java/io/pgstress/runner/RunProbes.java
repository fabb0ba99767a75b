package io.pgstress.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All probes of a run, which are called one after the other. Belongs to the run's thread, except for {@link Probe#hurry}. */
final class RunProbes implements AutoCloseable {
    private static final long SAMPLE_NANOS = 200_000_000;

    private final List<Probe> all;
    private long nextSample = Long.MIN_VALUE;

    RunProbes(List<Probe> probes) {
        this.all = List.copyOf(probes);
    }

    /** A call that may wait. */
    interface Call {
        void to(Probe probe) throws InterruptedException;
    }

    void each(Consumer<Probe> call) {
        all.forEach(call);
    }

    void await(Call call) throws InterruptedException {
        for (Probe probe : all) {
            call.to(probe);
        }
    }

    /** Lets the probes take a sample if it is time. */
    void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + SAMPLE_NANOS;
            all.forEach(probe -> probe.sample(now));
        }
    }

    /** Closes all probes, even if one fails. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        for (Probe probe : all) {
            try {
                probe.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
