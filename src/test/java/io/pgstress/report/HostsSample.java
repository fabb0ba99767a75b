package io.pgstress.report;

import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Network;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import io.pgstress.verdict.Judge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Judged results of runs on several hosts that never were, the same at every call. */
public final class HostsSample {
    private HostsSample() {}

    /** Three hosts in a closed loop: one is as expected, one is slow, and one was lost. */
    public static RunResult threeHosts() {
        return Judge.judged(unjudged());
    }

    /** The run before it is judged. */
    public static RunResult unjudged() {
        List<HostResult> hosts = List.of(
                host("stress-1", 3, 2_000, 1_324, null),
                host("stress-2", 3, 1_200, 2_206, null),
                host("stress-3", 2, 800, 927, 4.2));
        List<IntervalResult> intervals = new ArrayList<>();
        for (IntervalResult i : Samples.closed().intervals()) {
            Map<String, Long> ok = new LinkedHashMap<>();
            ok.put("stress-1", i.counts().ok() / 2);
            ok.put(
                    "stress-2",
                    i.atSeconds() < 4
                            ? i.counts().ok() / 4
                            : i.counts().ok() - i.counts().ok() / 2);
            if (i.atSeconds() < 4) {
                ok.put(
                        "stress-3",
                        i.counts().ok() - i.counts().ok() / 2 - i.counts().ok() / 4);
            }
            intervals.add(i.withPlaces(i.places().withHostsOk(ok)));
        }
        RunResult closed = Samples.closed();
        RunInfo run = Records.with(Records.with(closed.run(), "id", "hosts"), "toleratedLost", 0);
        return Records.with(
                closed.with(closed.load()
                        .withIntervals(intervals, closed.load().warmupIntervals())
                        .withHosts(hosts)),
                "header",
                closed.header().with(run));
    }

    /** A host with 2 cores in a run of 10 s. */
    public static HostResult host(
            String name, int clients, double opsPerSecond, double medianMicros, Double lostAtSeconds) {
        boolean isLost = lostAtSeconds != null;
        return new HostResult(
                name,
                clients,
                Math.round(10 * opsPerSecond),
                isLost ? 1 : 0,
                opsPerSecond,
                IntervalSamples.latency(name.hashCode(), (int) Math.round(10 * opsPerSecond), medianMicros),
                isLost ? null : client(opsPerSecond / 4000, null),
                isLost ? null : new Network(41.25, 4.125, 51_562_500, 5_156_250),
                12_345.5,
                85.25,
                lostAtSeconds,
                true,
                List.of(),
                isLost ? List.of() : Samples.warnings("Client and server share a machine"));
    }

    public static ClientInfo client(double cpuShare, Double ownWaitShare) {
        ClientInfo two = Records.with(Samples.closed().client(), "cpus", 2);
        return Records.with(Records.with(two, "cpuCoresUsed", 2 * cpuShare), "ownWaitShare", ownWaitShare);
    }
}
