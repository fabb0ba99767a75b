package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Calls all probes of a run, one after the other. Belongs to the run's thread, except {@link #hurry}. */
final class RunProbes implements AutoCloseable {
    private static final long SAMPLE_NANOS = 200_000_000;

    private final List<Probe> all;
    private long nextSample = Long.MIN_VALUE;

    RunProbes(List<Probe> probes) {
        this.all = List.copyOf(probes);
    }

    void beforeConnect() {
        all.forEach(Probe::beforeConnect);
    }

    void start() throws InterruptedException {
        for (Probe probe : all) {
            probe.start();
        }
    }

    void measureStarts() {
        all.forEach(Probe::measureStarts);
    }

    /** Lets the probes take a sample if it is time. */
    void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + SAMPLE_NANOS;
            all.forEach(probe -> probe.sample(now));
        }
    }

    void intervalEnds(IntervalData interval) {
        all.forEach(probe -> probe.intervalEnds(interval));
    }

    void measureEnds() {
        all.forEach(Probe::measureEnds);
    }

    void clientsHang() {
        all.forEach(Probe::clientsHang);
    }

    void loadEnds() throws InterruptedException {
        for (Probe probe : all) {
            probe.loadEnds();
        }
    }

    void contribute(Findings findings) throws InterruptedException {
        for (Probe probe : all) {
            probe.contribute(findings);
        }
    }

    void hurry() {
        all.forEach(Probe::hurry);
    }

    /** Closes all probes, even if one fails. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        Consumer<Probe> close = probe -> {
            try {
                probe.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        };
        all.forEach(close);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
