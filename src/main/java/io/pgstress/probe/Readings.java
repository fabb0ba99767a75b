package io.pgstress.probe;

import io.pgstress.result.Network;
import io.pgstress.runner.CompilerTime;
import io.pgstress.target.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Readings of the client's process at the start and end of the measurement and at the end of each interval. Pauses are excluded. */
final class Readings {
    /** Everything read at one instant. */
    private record Reading(CpuMeter cpu, Traffic traffic, double paused, Instant wall, long wallNanoTime) {
        double secondsSince(Reading before) {
            return cpu.secondsSince(before.cpu) - (paused - before.paused);
        }

        double coresSince(Reading before) {
            return cpu.cpuSecondsSince(before.cpu) / Math.max(1e-9, secondsSince(before));
        }
    }

    /** Usage within an interval. */
    record Interval(Network network, double cpuCores) {}

    private final List<Node> nodes;
    private final DoubleSupplier paused;
    private Reading last;
    private Reading measureStart;
    private Reading measureEnd;
    private final CompilerTime compiler = new CompilerTime();
    private double machineBusy = -1;
    private boolean isOver;

    /** @param paused seconds for which the clients have paused so far */
    Readings(List<Node> nodes, DoubleSupplier paused) {
        this.nodes = nodes;
        this.paused = paused;
        this.last = read();
        this.measureStart = last;
        this.measureEnd = last;
    }

    private Reading read() {
        CpuMeter cpu = CpuMeter.read();
        double before = paused.getAsDouble();
        Traffic traffic = Traffic.read(nodes);
        long nanoTime = System.nanoTime(); // read in immediate succession, because they are compared
        return new Reading(cpu, traffic, before, Instant.now(), nanoTime);
    }

    /** Called at the start of the load and of the measurement, each of which starts an interval. */
    void measureStarts() {
        measureStart = read();
        last = measureStart;
        compiler.start();
        machineBusy = CpuMeter.machineBusy();
    }

    /** @param isEmpty whether the measurement never began */
    void measureEnds(boolean isEmpty) {
        measureEnd = read();
        isOver = true;
        compiler.read();
        if (isEmpty) {
            measureStart = measureEnd;
            compiler.start();
        }
        machineBusy = CpuMeter.machineBusy();
    }

    /** The usage since the end of the previous interval. */
    Interval intervalEnds() {
        Reading now = read();
        if (!isOver) {
            compiler.read();
        }
        Network network = now.traffic.since(last.traffic, now.secondsSince(last));
        double cores = now.coresSince(last);
        last = now;
        return new Interval(network, cores);
    }

    /** @param seconds duration of the measurement */
    Network network(double seconds) {
        return measureEnd.traffic.since(measureStart.traffic, seconds);
    }

    Network network(int node, double seconds) {
        return measureEnd.traffic.since(measureStart.traffic, node, seconds);
    }

    /** Seconds between the readings at the start and end of the measurement. */
    double seconds() {
        return measureEnd.secondsSince(measureStart);
    }

    /** Seconds by which the wall clock advanced more during the measurement than the clock used for latencies. */
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

    /** Null if unknown. */
    @Nullable
    Double compilerSeconds() {
        return compiler.seconds();
    }

    /** The machine's busy share during the measurement, 0 to 1; below 0 if unknown. */
    double machineBusy() {
        return machineBusy;
    }
}
