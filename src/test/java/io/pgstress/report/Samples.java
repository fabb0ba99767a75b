package io.pgstress.report;

import io.pgstress.result.Connecting;
import io.pgstress.result.Header;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.Latency;
import io.pgstress.result.LoadResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.RateStep;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Validity;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Fictitious results of runs, the same at every call. */
public final class Samples {
    private static final Header HEADER = read("header", Header.class);
    private static final NodeResult NODE = read("node", NodeResult.class);

    private Samples() {}

    /** A part of a result, from a file. */
    private static <T> T read(String name, Class<T> type) {
        try {
            return Json.read(Files.readString(Path.of("src/test/resources/report/samples", name + ".json")), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the servers of a run counted, and where its statements went. */
    static ServerProfile servers() {
        return read("servers", ServerProfile.class);
    }

    private static <R extends Record> R without(R record, String... components) {
        R rest = record;
        for (String component : components) {
            rest = Records.with(rest, component, null);
        }
        return rest;
    }

    /** Eight clients reading by id in a closed loop, ten intervals, without problems. */
    public static RunResult closed() {
        Map<String, OperationResult> operations = Map.of("find_first", operation(1, 40_000, "total", Map.of()));
        return of(
                "closed",
                scenario("find_first", ""),
                operations,
                IntervalSamples.intervals(10, false),
                List.of(),
                ServerProfile.NONE);
    }

    /** An open loop of two operations on two nodes, with errors, an outage and the figures of the servers. */
    public static RunResult open() {
        Map<String, ErrorCount> errors = new TreeMap<>(Map.of(
                "57P01", new ErrorCount(3, "FATAL: terminating connection\ndue to administrator command"),
                "40P01", new ErrorCount(12, "ERROR: deadlock detected | \"<b>\" & `x`")));
        Map<String, OperationResult> operations = new LinkedHashMap<>();
        operations.put("find_first", operation(2, 30_000, "response", Map.of()));
        operations.put("find_update", operation(3, 10_000, "response", errors));
        List<Outage> outages = List.of(new Outage(4, 6, null), new Outage(3.5, 6.25, "jdbc:postgresql://b/db"));
        return of(
                "open",
                scenario("find_first:3,find_update:1", "4000"),
                operations,
                IntervalSamples.intervals(10, true),
                outages,
                servers());
    }

    /** The open loop, with half the rate in its first half. */
    public static RunResult steps() {
        RunResult run = open();
        return run.withIntervals(run.intervals().stream()
                .map(i -> i.atSeconds() < 5 && i.rates().targetRate() != null
                        ? i.withRates(new Rates(
                                i.rates().opsPerSecond(),
                                i.rates().targetRate() / 2,
                                i.rates().backlog()))
                        : i)
                .toList());
    }

    /** Ten minutes of an open loop, one interval per second. */
    public static RunResult tenMinutes() {
        Map<String, OperationResult> operations = new LinkedHashMap<>();
        operations.put("find_first", operation(4, 180_000, "response", Map.of()));
        operations.put("find_update", operation(5, 60_000, "response", Map.of()));
        return of(
                "long",
                scenario("find_first:3,find_update:1", "4000"),
                operations,
                IntervalSamples.intervals(600, true),
                List.of(),
                servers());
    }

    /** A run that ended before its first operation. */
    public static RunResult nothing() {
        OperationResult none = operation(0, Map.of(), Map.of());
        return of("nothing", scenario("find", ""), Map.of("find", none), List.of(), List.of(), ServerProfile.NONE);
    }

    public static RunResult of(
            String id,
            Map<String, Object> scenario,
            Map<String, OperationResult> operations,
            List<IntervalResult> intervals,
            List<Outage> outages,
            ServerProfile profile) {
        boolean open = !outages.isEmpty();
        NodeResult one = Records.with(NODE, "operations", operations);
        NodeResult half = without(Records.with(one, "clients", 4), "clientOperations", "reached");
        List<NodeResult> nodes = open ? halves(half, operations) : List.of(one);
        List<PhaseLength> phases = HEADER.run().phases().stream()
                .map(p -> p.name().equals("measure") ? new PhaseLength("measure", intervals.size() / 10 * 10) : p)
                .toList();
        RunInfo run = Records.with(Records.with(HEADER.run(), "id", id), "scenario", scenario);
        Header header = HEADER.with(
                Records.with(Records.with(run, "workload", ScenarioWorkload.of(scenario)), "phases", phases));
        if (open) {
            header = Records.with(header, "dataset", Records.with(header.dataset(), "rowsAfter", 40_012L))
                    .with(List.of(without(header.servers().get(0), "loadAverage", "transport", "tls", "pooling")));
        }
        LoadResult load = new LoadResult(
                operations,
                nodes,
                NODE.network(),
                open
                        ? Connecting.perTransaction(812.5, 0, new Connecting.Window(10, 40_000))
                        : Connecting.perClient(0.25, new Connecting.Window(10, 40_000)),
                outages,
                open ? new Pauses(2, 0.75, List.of(1.5, 7.5), null) : Pauses.NONE,
                open
                        ? new LoadResult.Open(rateSteps(), IntervalSamples.latency(9, 40_000, 5), 17L, 3L)
                        : LoadResult.Open.NONE,
                intervals,
                intervals.isEmpty()
                        ? List.of()
                        : IntervalSamples.warmup(intervals.get(0).times().responseMicros() != null),
                List.of());
        return new RunResult(
                header,
                load,
                profile,
                new Validity(
                        !open,
                        open
                                ? List.of(new Remark(
                                        RemarkCode.MOSTLY_IDLE,
                                        RemarkCode.Severity.NOT_VALID,
                                        Map.of("percent", 20.0),
                                        "No operation succeeded in 20% of the measurement",
                                        "The rate is a mean of work and standstill. Find the cause of the outage."))
                                : List.of(),
                        open
                                ? List.of(new Remark(
                                        RemarkCode.SHARED_HOST,
                                        RemarkCode.Severity.WARNING,
                                        Map.of(),
                                        "Client and server share a machine",
                                        "They compete for its CPU. Use a separate client machine."))
                                : List.of()),
                List.of());
    }

    /** One node has the first operation, the other one the rest. */
    private static List<NodeResult> halves(NodeResult half, Map<String, OperationResult> operations) {
        Map<String, OperationResult> first = new LinkedHashMap<>(operations);
        Map<String, OperationResult> rest = new LinkedHashMap<>(operations);
        operations.keySet().stream().skip(1).forEach(first::remove);
        rest.keySet().removeAll(first.keySet());
        return List.of(
                Records.with(half, "operations", first),
                Records.with(Records.with(half, "url", "jdbc:postgresql://b/db"), "operations", rest));
    }

    /** Reasons with these sentences. */
    public static List<Remark> reasons(String... sentences) {
        return Stream.of(sentences)
                .map(s ->
                        new Remark(RemarkCode.CHECKS_REFUSED, RemarkCode.Severity.NOT_VALID, Map.of("error", s), s, ""))
                .toList();
    }

    /** A run with five warnings, the least harmful first. */
    public static RunResult withFiveWarnings() {
        return closed().withRemarks(
                        List.of(),
                        List.of(
                                RemarkCode.SHARED_HOST.remark(),
                                RemarkCode.STALL
                                        .with("operation", "find_first")
                                        .with("seconds", 2.0)
                                        .with("times", 40.0)
                                        .remark(),
                                RemarkCode.FEW_INTERVALS.with("intervals", 2).remark(),
                                RemarkCode.CLIENT_CPU
                                        .with("cores", 1.9)
                                        .with("cpus", 2)
                                        .remark(),
                                RemarkCode.MISSES
                                        .with("percent", 5.0)
                                        .with("operation", "find_first")
                                        .remark()));
    }

    /** Warnings with these sentences. */
    public static List<Remark> warnings(String... sentences) {
        return Stream.of(sentences)
                .map(s ->
                        new Remark(RemarkCode.WRITES_NOT_CHECKED, RemarkCode.Severity.WARNING, Map.of("why", s), s, ""))
                .toList();
    }

    private static List<RateStep> rateSteps() {
        return List.of(
                new RateStep(0, 5, 2000, 2000, IntervalSamples.latency(70, 10_000, 300), 0, true),
                new RateStep(5, 5, 6000, 5996.6, IntervalSamples.latency(71, 29_983, 500), 17, false));
    }

    public static Map<String, Object> scenario(String op, String rate) {
        Map<String, Object> scenario = new LinkedHashMap<>();
        scenario.put("op", List.of(op));
        scenario.put("table", List.of("check_in"));
        scenario.put("statement", List.of("prepared"));
        scenario.put("clients", List.of("8"));
        scenario.put("rate", rate.isEmpty() ? List.of() : List.of(rate));
        scenario.put("arrival", List.of("poisson"));
        scenario.put("pool", List.of(rate.isEmpty() ? "hikari" : "none"));
        scenario.put("pool-size", List.of("0"));
        scenario.put("key-distribution", List.of("uniform"));
        return scenario;
    }

    /** An operation with this number of successes in a measurement of one second. */
    public static OperationResult operation(long ok, Map<String, ErrorCount> errors, Map<String, Latency> times) {
        return new OperationResult(ok, ok, 0, 0, 0, 0, 0, ok, errors, Map.of(), ok, ok, null, Map.of(), times);
    }

    /** A copy of a record with another value in its JSON. */
    @SuppressWarnings("unchecked")
    public static <R> R with(R record, String name, Object value) {
        Map<String, Object> map = Json.readMap(Json.writeLine(record));
        map.put(name, value);
        return (R) Json.read(Json.writeLine(map), record.getClass());
    }

    /** @param headline {@code total}, or {@code response} for an open loop, which has a total too */
    public static OperationResult operation(int seed, int ok, String headline, Map<String, ErrorCount> errors) {
        Map<String, Latency> times = new LinkedHashMap<>();
        boolean isClosed = headline.equals("total");
        double total = isClosed ? IntervalSamples.CLOSED_MICROS : 180;
        times.put("total", IntervalSamples.latency(seed, ok, total));
        times.put("acquire", IntervalSamples.latency(seed + 20, ok, 2));
        times.put("service", IntervalSamples.latency(seed + 40, ok, total - 2));
        times.put("fetch", IntervalSamples.latency(seed + 50, ok, 20));
        if (!isClosed) {
            times.put("response", IntervalSamples.latency(seed + 60, ok, 400));
        }
        Map<String, StatementResult> statements = new LinkedHashMap<>();
        statements.put(
                "select",
                new StatementResult(
                        "select _id, data from t where _id = ?",
                        ok,
                        ok + 900L,
                        ok,
                        IntervalSamples.latency(seed, ok, isClosed ? total - 50 : 80)));
        if (!errors.isEmpty()) {
            times.put("failed", IntervalSamples.latency(seed + 80, 18, 5000)); // with the misses and duplicates
            statements.put(
                    "update",
                    new StatementResult(
                            "update t set data = ? where _id = ?",
                            ok,
                            ok + 900L,
                            ok,
                            IntervalSamples.latency(seed + 1, ok, 90)));
        }
        boolean flaws = !errors.isEmpty();
        return new OperationResult(
                ok,
                (long) ok,
                flaws ? 2 : 0,
                flaws ? 1 : 0,
                flaws ? 4 : 0,
                flaws ? 5 : 0,
                flaws ? 6 : 0,
                ok,
                errors,
                flaws
                        ? Map.of(
                                "40001",
                                new ErrorCount(4, "ERROR: could not serialize access due to concurrent update"))
                        : Map.of(),
                ok / 10.0,
                ok / 10.0,
                null,
                statements,
                times);
    }
}
