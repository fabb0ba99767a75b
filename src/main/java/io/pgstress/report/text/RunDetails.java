package io.pgstress.report.text;

import static io.pgstress.report.text.Facts.labeled;
import static io.pgstress.report.text.Facts.list;

import io.pgstress.machine.MachineProfile;
import io.pgstress.measure.Phase;
import io.pgstress.report.format.Figures;
import io.pgstress.report.text.Facts.Weight;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Facts about a run: its main figures, and its setup with what else was counted. */
final class RunDetails {
    /** The first JDK on which clients are on event loops by default, from this many per core on; see docs/dev/performance.md. */
    private static final int FIRST_WITH_LOOPS = 24;

    private static final int LOOP_CLIENTS_PER_CORE = 2;

    /** The cost of more outages is told as a sum. */
    private static final int MAX_OUTAGES = 3;

    /** Remarks on checks that found nothing wrong. */
    private static final Set<RemarkCode> PASSED_CHECKS = EnumSet.of(
            RemarkCode.INSERTS_FOUND,
            RemarkCode.DELETED_ROWS_GONE,
            RemarkCode.ROWS_AGREE,
            RemarkCode.CHECKED_AT_RESETS,
            RemarkCode.UPDATES_COUNTED,
            RemarkCode.UPDATES_FOUND,
            RemarkCode.COUNTS_AGREE,
            RemarkCode.BALANCES_AGREE);

    private final RunResult result;
    private final Workload workload;

    RunDetails(RunResult result) {
        this.result = result;
        this.workload = result.run().workload();
    }

    /** What was run, in one line. */
    String title() {
        String loop = !workload.hasRate()
                ? "closed loop"
                : "open loop at " + rates(workload) + " ops/s"
                        + (workload.arrival() == null ? "" : " (" + workload.arrival() + ")");
        return result.mix() + " on " + table(result) + ": "
                + list(
                        Counted.of(result.clients(), "client"),
                        loop,
                        workload.statement() == null ? "" : workload.statement() + " statements");
    }

    /** The target rate or its steps, such as {@code 50, 1,000}. */
    static String rates(Workload workload) {
        return workload.rates().stream()
                .map(r -> r == Math.rint(r) ? Figures.count(r.longValue()) : Figures.plain(r))
                .collect(Collectors.joining(", "));
    }

    /** The main figures: rate, latency, failures, outages, bottleneck. */
    Facts result() {
        Facts facts = new Facts().add("throughput", throughput());
        if (result.operations().size() == 1) {
            facts.add(workload.hasRate() ? "response ms" : "latency ms", times(result.headline(result.total())));
        }
        OperationResult all = result.total();
        facts.add("failures", failures(all));
        result.operations()
                .forEach((name, o) -> o.errors()
                        .forEach((state, e) -> facts.add(
                                "error " + state,
                                Figures.count(e.count()) + " in " + name + when(state) + ": " + messages(e),
                                Weight.ERROR)));
        result.operations()
                .forEach((name, o) -> o.retriedErrors()
                        .forEach((state, e) -> facts.add(
                                "retry " + state, Figures.count(e.count()) + " in " + name + ": " + messages(e))));
        facts.add("included", list(counted(all.retries(), "retry"), counted(all.late(), "late operation")));
        if (workload.hasRate()) {
            facts.add("schedule", schedule());
        }
        facts.add("warm-up", warmup());
        outages(facts);
        checks(facts);
        Pauses pauses = result.load().halts();
        if (pauses.rounds() != null) {
            facts.add("rounds", words(pauses.rounds()));
        }
        OperationWaits waits = result.serverProfile().operationWaits();
        if (waits != null) {
            waits.causes().forEach(cause -> facts.add("slowest", cause.sentences()));
        }
        facts.add("bottleneck", Bottleneck.line(result.serverProfile().bottleneck()));
        result.limits().forEach(limit -> facts.detail("--fail-if", limit.limit() + ": " + limit.words()));
        return facts;
    }

    /** Each check of the tables; several that passed are one line for readers who do not ask for details. Reasons and warnings follow later. */
    private void checks(Facts facts) {
        Map<Boolean, List<Remark>> byPassed = result.dataset().afterwards().stream()
                .filter(remark -> remark.severity() == RemarkCode.Severity.NOTE)
                .collect(Collectors.partitioningBy(remark -> PASSED_CHECKS.contains(remark.code())));
        List<Remark> passed = Objects.requireNonNull(byPassed.get(true));
        boolean isOne = passed.size() == 1;
        facts.add("checks", passed.size() < 2 ? "" : "all " + passed.size() + " checks of what was written passed");
        passed.forEach(remark -> facts.add("check", remark.text(), isOne ? Weight.NORMAL : Weight.DETAIL));
        Objects.requireNonNull(byPassed.get(false))
                .forEach(remark ->
                        facts.add(remark.code() == RemarkCode.TABLES_CREATED ? "tables" : "check", remark.text()));
    }

    /** The message, or several with their numbers, the most frequent first. */
    private static String messages(OperationResult.ErrorCount errors) {
        if (errors.messages().size() < 2) {
            return errors.sample().replaceAll("\\R", " ");
        }
        return errors.messages().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(e -> Figures.count(e.getValue()) + " " + e.getKey().replaceAll("\\R", " "))
                .collect(Collectors.joining("; "));
    }

    private void outages(Facts facts) {
        List<Outage> outages = result.load().outages();
        if (outages.size() <= MAX_OUTAGES) {
            outages.forEach(outage -> facts.add("outage", words(outage)));
        } else {
            long lost = outages.stream()
                    .map(Outage::operationsLost)
                    .filter(Objects::nonNull)
                    .mapToLong(Long::longValue)
                    .sum();
            facts.add("outages", lost == 0 ? "" : Figures.count(outages.size()) + " periods: " + lost(lost));
        }
    }

    private String throughput() {
        OperationResult all = result.total();
        double warmup = result.run().seconds(Phase.WARMUP);
        return list(
                        Figures.rate(all.opsPerSecond()) + " ops/s",
                        all.megabytesPerSecond() == null
                                ? ""
                                : Figures.rate(all.rowsPerSecond()) + " rows/s, "
                                        + Figures.decimal(all.megabytesPerSecond(), 1) + " MB/s")
                + " over " + Figures.seconds(result.run().measuredSeconds())
                + (warmup > 0 ? " (after " + Figures.seconds(warmup) + " of warm-up)" : "");
    }

    private static String times(@Nullable Latency times) {
        return times == null || times.count() == 0
                ? ""
                : "mean " + Figures.threeDigits(times.mean() / 1e3) + "  p50 " + Figures.threeDigits(times.p50() / 1e3)
                        + "  p95 " + Figures.threeDigits(times.p95() / 1e3) + known("  p99 ", times.knownP99())
                        + known("  p99.9 ", times.knownP999()) + "  max " + Figures.threeDigits(times.max() / 1e3);
    }

    private static String known(String name, @Nullable Double micros) {
        return micros == null ? "" : name + Figures.threeDigits(micros / 1e3);
    }

    private static String failures(OperationResult all) {
        String found = list(
                counted(all.failed(), "error"),
                counted(all.misses(), "miss"),
                counted(all.duplicates(), "duplicate"),
                counted(all.unfinished(), "unfinished operation"));
        return found.isEmpty()
                ? "none (0 errors, 0 misses, 0 duplicates)"
                : found + " (excluded from rates"
                        + (all.unfinished() > 0 ? "; the times of the unfinished ones are lower bounds)" : ")");
    }

    /** Servers, data, clients; then what is counted beside the main figures. */
    Facts setup() {
        Facts facts = new Facts();
        servers(facts, result);
        facts.add("data", data(result) + ids()).add("clients", clients());
        Connecting connecting = result.load().connecting();
        if (connecting != null) {
            if (connecting.opensPerTransaction()) {
                facts.add("connecting", inOperations(connecting)); // it is in the rate of the result
            } else {
                facts.detail("connecting", before(connecting));
            }
        }
        Pauses pauses = result.load().halts();
        if (pauses.count() > 0) {
            facts.add(
                    "pauses",
                    pauses.count() + " pauses to reset the tables, " + Figures.seconds(pauses.seconds())
                            + " in total, excluded from results");
        }
        facts.detail("phases", phases()).detail("software", software(result));
        client(facts);
        ServerDetails.addTo(facts, result.serverProfile());
        return facts;
    }

    private void client(Facts facts) {
        NodeResult.ClientOperations each = result.clientOperations();
        if (each != null && each.clients() > 1) {
            facts.detail("per client", each.words());
        }
        Double ownWait = result.client().ownWaitShare();
        if (ownWait != null) {
            facts.detail(
                    "client wait", "about " + Rounded.percent(ownWait, 0) + " of the time of an average operation");
        }
        facts.detail("network", network()).detail("load", machines());
    }

    private static void servers(Facts facts, Result result) {
        List<NodeResult> nodes = result instanceof RunResult run ? run.nodes() : List.of();
        for (ServerInfo server : result.servers()) {
            facts.add("server", server(server, result.servers().size() == 1));
            through(facts, server);
            for (NodeResult node : nodes) {
                if (node.url().equals(server.url()) && node.reached() != null) {
                    boolean isShared =
                            "transaction".equals(server.pooling()); // then sessions are fewer than connections
                    facts.add(isShared ? "connections" : "sessions", ReachedSessions.words(node.reached()));
                }
            }
            facts.detail("url", server.url()).detail("transfer", "data column as " + server.transferFormat());
            programs(facts, server);
            facts.detail("settings", settings(server.settings()));
        }
    }

    private static void through(Facts facts, ServerInfo server) {
        if (server.pooling() != null) {
            facts.add(
                    "through",
                    server.pooling().equals("none")
                            ? "TCP proxy or port mapping"
                            : "pooler, " + server.pooling() + " pooling");
        }
    }

    /** One fact per server of a result of several runs. */
    static Facts servers(Result result) {
        Facts facts = new Facts();
        result.servers().forEach(server -> {
            facts.add("server", server(server, result.servers().size() == 1));
            through(facts, server);
            programs(facts, server);
        });
        return facts;
    }

    /** The programs of a server that the command started. */
    private static void programs(Facts facts, ServerInfo server) {
        if (server.build() != null) {
            facts.detail(
                    "programs",
                    server.build().origin() + ", SHA-256 " + server.build().sha256());
        }
    }

    /** What the page says in words: the setup of a result, and what the charts and tables of a run do not show. */
    static Facts ofPage(Result result) {
        Facts facts = new Facts();
        if (result instanceof RunResult run) {
            facts = new RunDetails(run).setup();
        } else {
            facts.add("data", data(result)).add("software", software(result));
            servers(facts, result);
        }
        ClientInfo client = result.client();
        return facts.add(
                "client",
                list(
                        client.os(),
                        client.cpus() + " cores",
                        threads(client),
                        labeled("pgstress of commit ", result.header().tool().commit())));
    }

    /** The table, and whether it is one of several. */
    private static String table(Result result) {
        String tables = result.run().optionText("tables");
        boolean isOnly =
                tables.isEmpty() || tables.equals("1") || result.dataset().idsDrawnFrom() > 0;
        return result.dataset().table() + (isOnly ? "" : " (first of " + tables + " tables)");
    }

    private static String data(Result result) {
        DatasetInfo d = result.dataset();
        if (d.idsDrawnFrom() == 0 && d.rowsBefore() == 0) {
            return table(result); // an operation's own tables
        }
        String after = d.rowsAfter() < 0
                ? " (unknown after the run)"
                : d.rowsAfter() == d.rowsBefore() ? "" : " (" + Figures.count(d.rowsAfter()) + " after the run)";
        return table(result) + ": "
                + list(
                        Figures.count(d.rowsBefore()) + " rows" + after,
                        d.bytes() == null ? "" : Figures.bytes(d.bytes()),
                        d.idsDrawnFrom() == 0 ? "" : d.keyType() + " ids");
    }

    /** What share of the table is drawn, and how often; follows the data. */
    private String ids() {
        DatasetInfo d = result.dataset();
        if (d.idsDrawnFrom() == 0) {
            return "";
        }
        String share = d.idsDrawnFrom() >= d.distinctIds()
                ? "all ids drawn"
                : Rounded.format(
                        "a sample of %s ids drawn (%.2f%%)",
                        Figures.count(d.idsDrawnFrom()), 100.0 * d.idsDrawnFrom() / d.distinctIds());
        return ", " + share + labeled(", ", workload.keyDistribution())
                + (d.copyRows() == null
                        ? ""
                        : "; the copy table held at most " + Figures.count(d.copyRows()) + " of them at a time");
    }

    private String phases() {
        return result.run().phases().stream()
                        .map(p -> p.name() + " " + Figures.seconds(p.seconds()))
                        .collect(Collectors.joining(", "))
                + (result.run().partial() ? "; ended early" : "");
    }

    private String clients() {
        String pool = workload.pool();
        return list(
                        Figures.count(result.clients()) + labeled(" on ", threads(result.client())),
                        pool == null || pool.equals("none")
                                ? "one connection each"
                                : "pool " + pool + (workload.poolSize() == 0 ? "" : " of " + workload.poolSize()),
                        thinking(workload.think()),
                        workload.transaction() ? "one transaction per operation" : "",
                        labeled("query mode ", workload.queryMode()))
                + (wouldLoop(result.client()) ? "; JDK 25 runs this many clients on event loops" : "");
    }

    private static String thinking(Workload.@Nullable Think think) {
        return think == null
                ? ""
                : "thinking " + Figures.time(think.micros()) + (think.exponential() ? " on average (exponential)" : "")
                        + " between operations";
    }

    private static @Nullable String threads(ClientInfo client) {
        return switch (client.threadKind()) {
            case "loop" -> "event loops" + (client.polling() == null ? "" : " (" + client.polling() + ")");
            case ClientInfo.UNKNOWN -> null;
            default -> client.threadKind() + " threads";
        };
    }

    /** Whether the client's JDK is too old for event loops, and they would have been chosen. */
    private boolean wouldLoop(ClientInfo c) {
        try {
            String version = c.jvm().substring(c.jvm().lastIndexOf(' ') + 1);
            int cores = c.cpus() * Math.max(1, result.hosts().size());
            return Runtime.Version.parse(version).feature() < FIRST_WITH_LOOPS
                    && result.clients() >= LOOP_CLIENTS_PER_CORE * cores;
        } catch (IllegalArgumentException e) {
            return false; // a result whose versions differ
        }
    }

    private static String before(Connecting c) {
        return (c.seconds() == null ? "" : Figures.seconds(c.seconds()) + " until all clients were connected, ")
                + "before the load"
                + (c.opsPerSecondWith() == null
                        ? ""
                        : "; " + rate(c.opsPerSecondWithout()) + " ops/s without this time, "
                                + rate(c.opsPerSecondWith()) + " with it");
    }

    private static String inOperations(Connecting c) {
        return "a new session for each operation"
                + (c.meanMicros() == null ? "" : ": " + Figures.time(c.meanMicros()) + " on average")
                + (c.opsPerSecondWith() == null
                        ? ""
                        : "; "
                                + list(
                                        rate(c.opsPerSecondWith()) + " ops/s with connecting",
                                        c.opsPerSecondWithout() == null
                                                ? ""
                                                : rate(c.opsPerSecondWithout()) + " without"));
    }

    private static String rate(@Nullable Double perSecond) {
        return perSecond == null ? "-" : Figures.rate(perSecond);
    }

    private static String software(Result result) {
        return list(
                        "pgstress " + result.header().tool().version(),
                        result.header().tool().driver(),
                        result.client().jvm())
                + "; seed " + result.run().seed();
    }

    /** @param isOnly whether it is the only server, whose role is omitted */
    private static String server(ServerInfo s, boolean isOnly) {
        String version = s.version().replaceFirst(" on .*", "");
        boolean isNamed = version.toLowerCase(Locale.ROOT).startsWith(s.kind());
        return version + (isNamed ? "" : " (" + s.kind() + ")") + " at "
                + MachineProfile.shortNameOf(s.url())
                + s.url().replaceFirst("^jdbc:postgresql://[^/?]*", "").replaceFirst("\\?.*", "")
                + (isOnly ? "" : " (" + s.role() + ")") + ("unix".equals(s.transport()) ? ", Unix socket" : "")
                + labeled(", ", s.tls())
                + (s.build() == null ? "" : ", from " + s.build().origin().replaceFirst(".*/(?=[^/]+\\.jar$)", ""));
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String words(Pauses.Rounds rounds) {
        return rounds.rowsPerSecond().size() + " rounds: " + Figures.rate(rounds.first()) + " rows/s in the first, "
                + Figures.rate(rounds.last()) + " in the last, "
                + Rounded.format("%+,.0f rows/s", rounds.changePerRound()) + " ("
                + Rounded.change(1 + rounds.changePerRound() / rounds.first()) + ") per round";
    }

    private static String counted(long count, String what) {
        return count == 0 ? "" : Counted.of(count, what);
    }

    /** The intervals in which the error occurred, as far as known. */
    private String when(String state) {
        List<IntervalResult> met = result.intervals().stream()
                .filter(i -> i.errors().containsKey(state))
                .toList();
        if (met.isEmpty()) {
            return "";
        }
        IntervalResult last = met.get(met.size() - 1);
        return ", from " + Figures.decimal(met.get(0).atSeconds(), 1) + " to "
                + Figures.seconds(last.atSeconds() + last.seconds());
    }

    private String schedule() {
        Latency lag = result.load().open().scheduleLagMicros();
        Long backlog = result.load().open().backlog();
        boolean hasNotStarted = backlog != null && backlog > 0 && result.total().unfinished() > 0;
        return "target " + rates(workload) + " ops/s"
                + (lag == null
                        ? ""
                        : "; operations started " + Figures.time(lag.mean()) + " late on average"
                                + (lag.knownP99() == null ? "" : ", p99 " + Figures.time(lag.knownP99()))
                                + ", at most " + Figures.time(lag.max())
                                + (hasNotStarted ? " (with those that never started)" : ""))
                + (backlog == null
                        ? ""
                        : backlog == 0
                                ? "; none was overdue at the end"
                                : "; " + Figures.count(backlog) + (backlog == 1 ? " was" : " were")
                                        + " overdue at the end");
    }

    /** What the warm-up met and no figure contains; empty if it is nothing. */
    private String warmup() {
        long failed = result.load().warmupIntervals().stream()
                .mapToLong(interval -> interval.counts().failed())
                .sum();
        Long dropped = result.load().open().droppedFromWarmup();
        String met = list(
                counted(failed, "error"),
                dropped == null || dropped == 0
                        ? ""
                        : Counted.of(dropped, "operation") + " that did not start before its end");
        return met.isEmpty() ? "" : met + " (excluded from rates and times)";
    }

    private String network() {
        Network n = result.load().network();
        return "in " + Figures.decimal(n.inMbitPerSecond(), 1) + " Mbit/s (" + Figures.bytes(n.bytesIn()) + "), out "
                + Figures.decimal(n.outMbitPerSecond(), 1) + " Mbit/s (" + Figures.bytes(n.bytesOut()) + ")";
    }

    private String machines() {
        ClientInfo c = result.client();
        String servers = result.servers().stream()
                .map(server -> ", server " + average(server.loadAverage()))
                .collect(Collectors.joining());
        return "client " + average(c.loadAverage()) + servers + "; "
                + list(
                        "the client used " + Figures.decimal(c.cpuCoresUsed(), 2) + " of " + c.cpus() + " cores",
                        Figures.decimal(c.cpuMicrosPerOperation(), 1) + " us per operation",
                        "garbage collection paused " + Figures.decimal(c.gcPauseSeconds(), 3) + " s",
                        c.compilerSeconds() == null
                                ? ""
                                : "the JVM compiled for " + Figures.decimal(c.compilerSeconds(), 2) + " s",
                        c.residentBytes() == null ? "" : Figures.bytes(c.residentBytes()) + " resident");
    }

    private static String average(@Nullable Double load) {
        return load == null ? "unknown" : Figures.decimal(load, 2);
    }

    /** What an outage cost, which its remark does not say; empty if that is unknown. */
    private String words(Outage o) {
        String cost = list(
                o.operationsLost() == null ? "" : lost(o.operationsLost()),
                o.fullRateAtSeconds() == null
                        ? ""
                        : "full rate again at " + Figures.decimal(o.fullRateAtSeconds(), 1) + " s");
        return cost.isEmpty() ? "" : "from " + Figures.decimal(o.fromSeconds(), 3) + " s: " + cost;
    }

    private String lost(long operations) {
        OperationResult all = result.total();
        String delayed = all.misses() + all.duplicates() > 0
                ? " operations delayed, failed or found nothing"
                : all.failed() > 0 ? " operations delayed or failed" : " operations delayed";
        return "about " + Figures.count(operations)
                + (workload.hasRate() ? delayed : " operations fewer than at the rate before");
    }
}
