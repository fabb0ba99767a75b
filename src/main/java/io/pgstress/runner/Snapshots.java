package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.RunResult.Network;
import io.pgstress.target.Node;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is read at the borders of intervals: traffic, CPU, backlog. Belongs to the run's thread. */
final class Snapshots {
    /** What an interval had beside its operations. */
    record Extra(Network network, double cpuCores, @Nullable Long backlog) {
        static final Extra NONE = new Extra(new Network(0, 0, 0, 0), 0, null);
    }

    private final List<Node> nodes;
    private final IdentityHashMap<IntervalData, Extra> extras = new IdentityHashMap<>();
    private CpuMeter cpu = CpuMeter.read();
    private Traffic traffic;
    private CpuMeter measureCpu = cpu;
    private Traffic measureTraffic;
    private CpuMeter endCpu = cpu;
    private Traffic endTraffic;
    private double machineBusy = -1;

    Snapshots(List<Node> nodes) {
        this.nodes = nodes;
        this.traffic = Traffic.read(nodes);
        this.measureTraffic = traffic;
        this.endTraffic = traffic;
    }

    /** The measurement begins. */
    void measureStarts() {
        measureCpu = CpuMeter.read();
        measureTraffic = Traffic.read(nodes);
        machineBusy = CpuMeter.machineBusy();
    }

    /** The measurement ends. */
    void measureEnds() {
        endCpu = CpuMeter.read();
        endTraffic = Traffic.read(nodes);
        machineBusy = CpuMeter.machineBusy();
    }

    /** An interval is over. */
    void intervalEnds(IntervalData interval, @Nullable Long backlog) {
        CpuMeter nowCpu = CpuMeter.read();
        Traffic nowTraffic = Traffic.read(nodes);
        double seconds = (nowCpu.nanoTime() - cpu.nanoTime()) / 1e9;
        extras.put(interval, new Extra(nowTraffic.since(traffic, seconds), nowCpu.coresSince(cpu), backlog));
        cpu = nowCpu;
        traffic = nowTraffic;
    }

    Extra of(IntervalData interval) {
        return extras.getOrDefault(interval, Extra.NONE);
    }

    Network network(double seconds) {
        return endTraffic.since(measureTraffic, seconds);
    }

    Network network(int node, double seconds) {
        return endTraffic.since(measureTraffic, node, seconds);
    }

    double cpuCores() {
        return endCpu.coresSince(measureCpu);
    }

    double cpuSeconds() {
        return endCpu.cpuSecondsSince(measureCpu);
    }

    double gcSeconds() {
        return endCpu.gcSecondsSince(measureCpu);
    }

    /** The busy share of the machine over the measurement, 0 to 1; below 0: not known. */
    double machineBusy() {
        return machineBusy;
    }
}
