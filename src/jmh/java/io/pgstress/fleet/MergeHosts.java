package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.Wire.Envelope;
import io.pgstress.measure.Cell;
import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.result.Latency;
import io.pgstress.runner.IntervalExtras;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * What a command's merge of its hosts' recorded intervals takes: 200 hosts, 600 intervals of one operation with one statement, and
 * 5,000 operations with log-normal latencies and a tail per host and interval, all different. Arguments: hosts, intervals, messages
 * per interval. Included: reading the messages, adding them, packing past intervals as the run does, and the totals of all intervals
 * at the end. Not included: the network, and that the hosts' messages were made. Run it with {@code -Xmx512m}.
 */
public final class MergeHosts {
    private static final int OPERATIONS = 5_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Different recordings, from which hosts and intervals draw. */
    private static final int RECORDINGS = 128;

    /** As many intervals are kept unpacked in a run. */
    private static final int OPEN_INTERVALS = 5;

    private final SplittableRandom random = new SplittableRandom(7);
    private final Wire wire = new Wire("1.0.0");
    private final int hosts;
    private final int intervals;
    private final int parts;

    private MergeHosts(int hosts, int intervals, int parts) {
        this.hosts = hosts;
        this.intervals = intervals;
        this.parts = parts;
    }

    public static void main(String[] arguments) throws Exception {
        int hosts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
        int intervals = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 600;
        int parts = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        new MergeHosts(hosts, intervals, parts).run();
    }

    private static Timeline timeline() {
        Timeline timeline =
                new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("find_first", List.of("select"))), 1);
        timeline.start(0);
        timeline.measure(0, 3_600 * SECOND);
        return timeline;
    }

    /** What a host records in an interval, or in a part of it. */
    private List<CellIncrement> recording() {
        Timeline timeline = timeline();
        ClientRecorder recorder = new ClientRecorder(timeline, 0, 0);
        recorder.resume(0);
        for (int i = 0; i < OPERATIONS / parts; i++) {
            double tail = random.nextDouble() < 0.002 ? 30 : 1; // checkpoints, garbage collection
            long nanos = (long) (400_000 * Math.exp(0.5 * random.nextGaussian()) * tail);
            long start = (SECOND - nanos) / OPERATIONS * i;
            recorder.begin(start);
            recorder.statementEnded(0, 0, nanos - 2_000, 1, 0);
            recorder.end(0, Outcome.OK, false, start, start, 0, start + nanos, 1, 0);
        }
        recorder.flush();
        return timeline.intervals(Phase.MEASURE).get(0).takeNew();
    }

    private void run() throws Exception {
        List<List<CellIncrement>> recordings = new ArrayList<>();
        for (int i = 0; i < RECORDINGS; i++) {
            recordings.add(recording());
        }
        List<RemoteHost> all = new ArrayList<>();
        for (int h = 0; h < hosts; h++) {
            String name = "host-" + h;
            all.add(new RemoteHost(
                    new Member(name, name + ":7800", 1),
                    name,
                    new Message.Work(h, hosts, h * 10, hosts * 10, List.of(0), "", Map.of(), Map.of()),
                    10));
        }
        Timeline timeline = timeline();
        IntervalExtras extras = new IntervalExtras();
        extras.hosts(all.stream().map(RemoteHost::name).toList());
        long nanos = 0;
        long cpu = 0;
        long bytes = 0;
        for (int i = 0; i < intervals; i++) {
            for (int part = 0; part < parts; part++) {
                List<byte[]> messages = new ArrayList<>();
                for (int h = 0; h < hosts; h++) {
                    List<CellIncrement> cells = recordings.get(random.nextInt(RECORDINGS));
                    messages.add(
                            wire.encode(1, new Message.Increment((long) i * parts + part, Phase.MEASURE, i, cells)));
                    bytes += messages.get(h).length;
                }
                long start = System.nanoTime();
                long cpuStart = cpu();
                for (int h = 0; h < hosts; h++) {
                    Envelope envelope = wire.decode(messages.get(h));
                    all.get(h).add((Message.Increment) envelope.message(), timeline, extras);
                }
                nanos += System.nanoTime() - start;
                cpu += cpu() - cpuStart;
            }
            long start = System.nanoTime();
            long cpuStart = cpu();
            if (i >= OPEN_INTERVALS) {
                timeline.interval(Phase.MEASURE, i - OPEN_INTERVALS).pack();
            }
            nanos += System.nanoTime() - start;
            cpu += cpu() - cpuStart;
        }
        long start = System.nanoTime();
        long cpuStart = cpu();
        long ok = totals(timeline);
        nanos += System.nanoTime() - start;
        cpu += cpu() - cpuStart;
        if (ok != (long) hosts * intervals * parts * (OPERATIONS / parts)) {
            throw new IllegalStateException(ok + " operations arrived");
        }
        System.out.printf(
                Locale.ROOT,
                "%d hosts, %d intervals, %d messages each, %.1f MB: %.2f s (%.2f s of CPU), heap at most %.0f of %.0f"
                        + " MiB%n",
                hosts,
                intervals,
                parts,
                bytes / 1e6,
                nanos / 1e9,
                cpu / 1e9,
                peakMiB(),
                Runtime.getRuntime().maxMemory() / (double) (1 << 20));
    }

    private static long totals(Timeline timeline) {
        long ok = 0;
        for (IntervalData interval : timeline.intervals(Phase.MEASURE)) {
            Cell total = interval.total();
            ok += total.completed(Outcome.OK);
            if (Latency.of(total.times(Time.TOTAL)).count() == 0) {
                throw new IllegalStateException("no times in interval " + interval.index());
            }
        }
        return ok;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double peakMiB() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .mapToLong(
                                (MemoryPoolMXBean pool) -> pool.getPeakUsage().getUsed())
                        .sum()
                / (double) (1 << 20);
    }
}
