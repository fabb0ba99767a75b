package io.pgstress.report.page;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.report.page.HtmlReport.PageData;
import io.pgstress.report.text.TextReport;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A run in progress as the page draws it: what the intervals of the measurement add up to. The figures of a run that has ended
 * are computed from the clients' records instead, and may differ slightly. Thread-safe.
 */
final class LiveRun {
    private static final double MEGA = 1e6;
    private static final double BITS_PER_BYTE = 8;
    private static final PageData.Badge RUNNING =
            new PageData.Badge("running", "Running: figures so far, not judged yet", List.of(), null);

    private final RunResult known;
    private final Map<String, LatencyHistogram> times = new TreeMap<>();
    private final Map<String, OperationInterval> operations = new TreeMap<>();
    private final TreeSet<String> hosts = new TreeSet<>();
    private double seconds;
    private double bytesIn;
    private double bytesOut;

    /** @param known the part of the result that is known before the load */
    public LiveRun(RunResult known) {
        this.known = known;
    }

    /** The run's id. */
    public String id() {
        return known.run().id();
    }

    /** Adds an interval that has ended; those outside the measurement are ignored. */
    public synchronized void add(IntervalResult i) {
        if (!i.in(Phase.MEASURE)) {
            return;
        }
        seconds += i.seconds();
        bytesIn += bytes(i.usage().inMbitPerSecond(), i.seconds());
        bytesOut += bytes(i.usage().outMbitPerSecond(), i.seconds());
        i.operations().forEach((name, o) -> operations.merge(name, o, OperationInterval::plus));
        if (i.places().hostsOk() != null) {
            hosts.addAll(i.places().hostsOk().keySet());
        }
        i.times().byKind().forEach((kind, latency) -> {
            if (latency.histogram() != null && PercentileCurve.KINDS.contains(kind)) {
                times.computeIfAbsent(kind, k -> new LatencyHistogram()).add(latency.decoded());
            }
        });
    }

    private static double bytes(@Nullable Double megabits, double seconds) {
        return megabits == null ? 0 : megabits * MEGA / BITS_PER_BYTE * seconds;
    }

    /** The run so far as the page's data, without intervals: JSON on one line. */
    public String json() {
        return data().json();
    }

    /** Writes the page that follows the events of the run. */
    public void write(Appendable out) throws IOException {
        HtmlReport.write(
                TextReport.of(known).title(), data(), "; connect-src 'self'", HtmlReport.resource("live.js"), out);
    }

    private synchronized PageData data() {
        Map<String, PercentileCurve> all = new TreeMap<>();
        times.forEach((kind, sum) -> all.put(kind, PercentileCurve.of(Latency.of(sum))));
        return new PageData(
                List.of(soFar()), List.of(new PercentileCurve.OfRun(all, Map.of(), null)), List.of(RUNNING));
    }

    private RunResult soFar() {
        double length = seconds == 0 ? 1 : seconds;
        Map<String, OperationResult> results = new TreeMap<>();
        operations.forEach((name, o) -> results.put(name, result(o, length)));
        Network network = new Network(
                bytesIn * BITS_PER_BYTE / MEGA / length,
                bytesOut * BITS_PER_BYTE / MEGA / length,
                Math.round(bytesIn),
                Math.round(bytesOut));
        return known.with(known.load()
                .withOperations(results, known.nodes())
                .withNetwork(network)
                .withHosts(hosts.stream().map(LiveRun::host).toList()));
    }

    /** What is known of an operation before the end; its latencies are not. */
    private static OperationResult result(OperationInterval o, double length) {
        Map<String, ErrorCount> errors = new TreeMap<>();
        o.errors().forEach((state, count) -> errors.put(state, new ErrorCount(count, "")));
        double opsPerSecond = o.ok() / length;
        double rowsPerSecond = o.rows() / length;
        return new OperationResult(
                o.ok(),
                o.ok(),
                0,
                0,
                0,
                0,
                0,
                o.rows(),
                errors,
                Map.of(),
                opsPerSecond,
                rowsPerSecond,
                null,
                Map.of(),
                Map.of());
    }

    /** Its name, by which the chart of the hosts finds its intervals. */
    private static HostResult host(String name) {
        return new HostResult(name, 0, 0, 0, 0, null, null, null, null, null, null, true, List.of(), List.of());
    }
}
