package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.Network;
import io.pgstress.target.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** What is read at the borders of intervals: traffic, CPU, backlog; halts are no time. Belongs to the run's thread, but for {@link #of}. */
final class Snapshots {
    /** What an interval had beside its operations. */
    record Extra(Network network, double cpuCores, @Nullable Long backlog) {
        static final Extra NONE = new Extra(new Network(0, 0, 0, 0), 0, null);
    }

    /** All that is read at one instant. */
    private record Reading(CpuMeter cpu, Traffic traffic, double halted, Instant wall, long wallNanoTime) {
        double secondsSince(Reading before) {
            return cpu.secondsSince(before.cpu) - (halted - before.halted);
        }

        double coresSince(Reading before) {
            return cpu.cpuSecondsSince(before.cpu) / Math.max(1e-9, secondsSince(before));
        }
    }

    private final List<Node> nodes;
    private final DoubleSupplier halted;
    private final Map<IntervalData, Extra> extras = new ConcurrentHashMap<>();
    private Reading last;
    private Reading measureStart;
    private Reading measureEnd;
    private double machineBusy = -1;

    /** @param halted the seconds for which the clients stood still so far */
    Snapshots(List<Node> nodes, DoubleSupplier halted) {
        this.nodes = nodes;
        this.halted = halted;
        this.last = read();
        this.measureStart = last;
        this.measureEnd = last;
    }

    private Reading read() {
        CpuMeter cpu = CpuMeter.read();
        double before = halted.getAsDouble();
        Traffic traffic = Traffic.read(nodes);
        long nanoTime = System.nanoTime(); // one right after the other, as they are held against each other
        return new Reading(cpu, traffic, before, Instant.now(), nanoTime);
    }

    /** The load or its measurement begins, and with it an interval. */
    void measureStarts() {
        measureStart = read();
        last = measureStart;
        machineBusy = CpuMeter.machineBusy();
    }

    /**
     * The measurement ends.
     *
     * @param isEmpty whether it had not begun
     */
    void measureEnds(boolean isEmpty) {
        measureEnd = read();
        measureStart = isEmpty ? measureEnd : measureStart;
        machineBusy = CpuMeter.machineBusy();
    }

    /** An interval is over. */
    void intervalEnds(IntervalData interval, @Nullable Long backlog) {
        Reading now = read();
        Network network = now.traffic.since(last.traffic, now.secondsSince(last));
        extras.put(interval, new Extra(network, now.coresSince(last), backlog));
        last = now;
    }

    /** What was read of an interval; any thread may ask. */
    Extra of(IntervalData interval) {
        return extras.getOrDefault(interval, Extra.NONE);
    }

    Network network(double seconds) {
        return measureEnd.traffic.since(measureStart.traffic, seconds);
    }

    Network network(int node, double seconds) {
        return measureEnd.traffic.since(measureStart.traffic, node, seconds);
    }

    /** Seconds between the readings at the measurement's start and end, halts left out. */
    double seconds() {
        return measureEnd.secondsSince(measureStart);
    }

    /** Seconds that the wall clock moved more over the measurement than the clock that times are taken by. */
    double wallClockAhead() {
        return Duration.between(measureStart.wall, measureEnd.wall).toNanos() / 1e9
                - (measureEnd.wallNanoTime - measureStart.wallNanoTime) / 1e9;
    }

    double cpuCores() {
        return measureEnd.coresSince(measureStart);
    }

    double cpuSeconds() {
        return measureEnd.cpu.cpuSecondsSince(measureStart.cpu);
    }

    double gcSeconds() {
        return measureEnd.cpu.gcSecondsSince(measureStart.cpu);
    }

    /** The busy share of the machine over the measurement, 0 to 1; below 0: not known. */
    double machineBusy() {
        return machineBusy;
    }
}
