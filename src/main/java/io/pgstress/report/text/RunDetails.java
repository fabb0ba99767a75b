package io.pgstress.report.text;

import static io.pgstress.report.text.Facts.labeled;
import static io.pgstress.report.text.Facts.list;

import io.pgstress.report.format.Figures;
import io.pgstress.report.text.Facts.Weight;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import io.pgstress.text.Rounded;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Facts about a run: above the figures what was run, where and how; below them exclusions, network, load, outages, servers. */
final class RunDetails {
    /** The first JDK on which clients are on event loops by default, from this many per core on; see docs/dev/performance.md. */
    private static final int FIRST_WITH_LOOPS = 24;

    private static final int LOOP_CLIENTS_PER_CORE = 2;

    private final RunResult result;
    private final Workload workload;

    RunDetails(RunResult result) {
        this.result = result;
        this.workload = result.run().workload();
    }

    /** What was run, in one line. */
    String title() {
        String load = !workload.hasRate()
                ? "closed load"
                : "open load of " + workload.rateText() + " ops/s"
                        + (workload.arrival() == null ? "" : " (" + workload.arrival() + ")");
        return result.mix() + " on "
                + list(
                        result.dataset().table(),
                        workload.statement() == null ? "" : workload.statement() + " statements",
                        Figures.count(result.clients()) + " clients",
                        load);
    }

    Facts head() {
        Facts facts = new Facts()
                .add("data", data(result.dataset()))
                .add("ids", ids())
                .add("phases", phases())
                .add("clients", clients());
        Connecting connecting = result.load().connecting();
        if (connecting != null) {
            if (connecting.opensPerTransaction()) {
                facts.add("connecting", inOperations(connecting)); // it is in the rate of the result
            } else {
                facts.detail("connecting", before(connecting));
            }
        }
        facts.detail("software", software(result));
        servers(facts, result);
        return facts;
    }

    private static void servers(Facts facts, Result result) {
        List<NodeResult> nodes = result instanceof RunResult run ? run.nodes() : List.of();
        for (ServerInfo server : result.servers()) {
            facts.add("server", server(server, result.servers().size() == 1));
            if (server.pooling() != null) {
                facts.add(
                        "through",
                        server.pooling().equals("none")
                                ? "TCP proxy or port mapping"
                                : "pooler, " + server.pooling() + " pooling");
            }
            for (NodeResult node : nodes) {
                if (node.url().equals(server.url()) && node.reached() != null) {
                    facts.add("sessions", ReachedSessions.words(node.reached()));
                }
            }
            facts.detail("settings", settings(server.settings()));
        }
    }

    /** What the page says in words: the setup of a result, and what the charts and tables of a run do not show. */
    static Facts ofPage(Result result) {
        Facts facts = new Facts();
        if (result instanceof RunResult run) {
            RunDetails all = new RunDetails(run);
            facts = all.head();
            all.load(facts);
        } else {
            facts.add("data", data(result.dataset())).add("software", software(result));
            servers(facts, result);
        }
        ClientInfo client = result.client();
        return facts.add(
                "client",
                list(
                        client.os(),
                        client.cpus() + " cores",
                        client.threadKind() + " threads",
                        labeled("pgstress of commit ", result.header().tool().commit())));
    }

    private static String data(DatasetInfo d) {
        if (d.idsDrawnFrom() == 0 && d.rowsBefore() == 0) {
            return d.table(); // an operation's own tables
        }
        String after = d.rowsAfter() < 0
                ? " (unknown after the run)"
                : d.rowsAfter() == d.rowsBefore() ? "" : " (" + Figures.count(d.rowsAfter()) + " after the run)";
        return d.table() + ": "
                + list(
                        Figures.count(d.rowsBefore()) + after + " rows",
                        d.idsDrawnFrom() == 0 ? "" : d.keyType() + " keys",
                        d.bytes() == null ? "" : Figures.bytes(d.bytes()));
    }

    /** What share of the table can be drawn. */
    private String ids() {
        DatasetInfo d = result.dataset();
        if (d.idsDrawnFrom() == 0) {
            return "";
        }
        String of = d.distinctIds() == d.rowsBefore() ? "rows" : "ids";
        String share = d.idsDrawnFrom() >= d.distinctIds()
                ? "all " + Figures.count(d.idsDrawnFrom()) + " " + of
                : Rounded.format(
                        "a sample of %s of %s %s (%.2f%%)",
                        Figures.count(d.idsDrawnFrom()),
                        Figures.count(d.distinctIds()),
                        of,
                        100.0 * d.idsDrawnFrom() / d.distinctIds());
        return list(share, workload.keyDistribution());
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
                        Figures.count(result.clients()) + " on "
                                + result.client().threadKind() + " threads",
                        pool == null || pool.equals("none")
                                ? "no pool"
                                : "pool " + pool + (workload.poolSize() == 0 ? "" : " of " + workload.poolSize()),
                        workload.transaction() ? "one transaction per operation" : "",
                        labeled("query mode ", workload.queryMode()))
                + (wouldLoop(result.client()) ? "; JDK 25 runs this many clients faster, on event loops" : "");
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
    static String server(ServerInfo s, boolean isOnly) {
        return s.url() + ("unix".equals(s.transport()) ? " over a Unix socket" : "")
                + (isOnly ? "" : " (" + s.role() + ")") + ": " + s.kind() + ", "
                + s.version().replaceFirst(" on .*", "") + labeled("; ", s.tls())
                + "; data column as " + s.transferFormat();
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    Facts end() {
        Facts facts = new Facts();
        OperationResult all = result.total();
        counts(
                facts,
                "excluded",
                counted("errors", all.failed()),
                counted("misses", all.misses()),
                counted("duplicates", all.duplicates()),
                counted("unfinished", all.unfinished()));
        counts(facts, "included", counted("retries", all.retries()), counted("late", all.late()));
        result.operations()
                .forEach((name, o) -> o.errors()
                        .forEach((state, e) -> facts.add(
                                "error " + state,
                                Figures.count(e.count()) + " in " + name + when(state) + ": "
                                        + e.sample().replaceAll("\\R", " "),
                                Weight.ERROR)));
        load(facts);
        result.load().outages().forEach(outage -> facts.add("outage", words(outage)));
        ServerDetails.addTo(facts, result.serverProfile());
        result.limits()
                .forEach(limit -> facts.add(
                        "--fail-if " + limit.limit() + ":",
                        limit.words(),
                        limit.broken() ? Weight.ERROR : Weight.DETAIL));
        return facts;
    }

    private void load(Facts facts) {
        NodeResult.ClientOperations each = result.clientOperations();
        if (each != null && each.clients() > 1) {
            facts.add("per client", each.words());
        }
        Double ownWait = result.client().ownWaitShare();
        if (ownWait != null) {
            facts.add("client wait", "about " + Rounded.percent(ownWait, 0) + " of the time of an average operation");
        }
        if (workload.hasRate()) {
            facts.add("schedule", schedule());
        }
        result.dataset().afterwards().forEach(text -> facts.add("check", text));
        facts.detail("network", network());
        facts.detail("load", machines());
        Pauses halts = result.load().halts();
        if (halts.count() > 0) {
            facts.add(
                    "pauses",
                    halts.count() + " pauses to reset the tables, " + Figures.seconds(halts.seconds())
                            + " in total, excluded from results");
        }
        if (halts.rounds() != null) {
            facts.add("rounds", words(halts.rounds()));
        }
    }

    private static String words(Pauses.Rounds rounds) {
        return rounds.rowsPerSecond().size() + " rounds: " + Figures.rate(rounds.first()) + " rows/s in the first, "
                + Figures.rate(rounds.last()) + " in the last, "
                + Rounded.format(
                        "%+,.0f rows/s (%+.2f%%)",
                        rounds.changePerRound(), 100 * rounds.changePerRound() / rounds.first())
                + " per round";
    }

    /** Operations excluded from rates, or retried or late ones among the rest. */
    private static void counts(Facts facts, String label, String... counts) {
        String words = list(counts);
        facts.add(label, words.isEmpty() ? "none" : words, words.isEmpty() ? Weight.DETAIL : Weight.NORMAL);
    }

    private static String counted(String what, long count) {
        return count == 0 ? "" : what + " " + Figures.count(count);
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
        return "target " + workload.rateText() + " ops/s, achieved "
                + Figures.rate(result.total().opsPerSecond())
                + (lag == null
                        ? ""
                        : "; started late by " + Figures.millis(lag.mean()) + " ms on average, p99 "
                                + Figures.millis(lag.p99()) + " ms, at most " + Figures.millis(lag.max()) + " ms")
                + (backlog == null ? "" : "; backlog at the end " + Figures.count(backlog));
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

    private String words(Outage o) {
        String lost = result.run().workload().rates().isEmpty()
                ? " operations fewer than at the rate before"
                : " operations delayed";
        return Figures.decimal(o.fromSeconds(), 3) + " to " + Figures.decimal(o.toSeconds(), 3) + " s ("
                + Figures.decimal(o.toSeconds() - o.fromSeconds(), 3)
                + (o.silent()
                        ? " s in which " + o.node() + " did not answer the checks"
                        : " s without a success" + labeled(" on ", o.node()))
                + (o.silentServers().isEmpty()
                        ? ""
                        : "; " + String.join(", ", o.silentServers()) + " did not answer the checks either")
                + (o.operationsLost() == null ? "" : "; about " + Figures.count(o.operationsLost()) + lost)
                + (o.fullRateAtSeconds() == null
                        ? ""
                        : "; full rate again at " + Figures.decimal(o.fullRateAtSeconds(), 1) + " s")
                + ")";
    }
}
