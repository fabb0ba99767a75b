package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Facts above the figures: what was run, where and how. */
final class SetupFacts {
    /** The first JDK on which clients are on event loops by default, from this many per core on; see docs/performance.md. */
    private static final int FIRST_WITH_LOOPS = 24;

    private static final int LOOP_CLIENTS_PER_CORE = 2;

    private final RunResult result;
    private final Workload workload;

    SetupFacts(RunResult result) {
        this.result = result;
        this.workload = result.run().workload();
    }

    /** What was run, in one line. */
    String title() {
        return result.mix() + " on " + result.dataset().table() + ", "
                + (workload.statement() == null ? "" : workload.statement() + " statements, ")
                + Figures.count(result.clients()) + " clients, " + load();
    }

    private String load() {
        if (!workload.hasRate()) {
            return "closed load";
        }
        return "open load of " + workload.rateText() + " ops/s"
                + (workload.arrival() == null ? "" : " (" + workload.arrival() + ")");
    }

    List<Fact> all() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("data", data()));
        if (result.dataset().idsDrawnFrom() > 0) {
            facts.add(new Fact("ids", ids(result.dataset())));
        }
        facts.add(new Fact("phases", phases()));
        facts.add(new Fact("clients", clients()));
        Connecting connecting = result.load().connecting();
        if (connecting != null) {
            facts.add(ConnectingText.fact(connecting));
        }
        facts.add(Fact.detail("software", software()));
        for (ServerInfo server : result.servers()) {
            facts.add(new Fact("server", server(server, result.servers().size() == 1)));
            String pooling = server.pooling();
            if (pooling != null) {
                facts.add(new Fact(
                        "through",
                        pooling.equals("none") ? "TCP proxy or port mapping" : "pooler, " + pooling + " pooling"));
            }
            result.nodes().stream()
                    .filter(node -> node.url().equals(server.url()) && node.reached() != null)
                    .forEach(node -> facts.add(new Fact("sessions", ReachedSessions.words(node.reached()))));
            if (!server.settings().isEmpty()) {
                facts.add(Fact.detail("settings", settings(server.settings())));
            }
        }
        return facts;
    }

    private String data() {
        DatasetInfo d = result.dataset();
        String rows = Figures.count(d.rowsBefore());
        if (d.rowsAfter() < 0) {
            rows += " (unknown after the run)";
        } else if (d.rowsAfter() != d.rowsBefore()) {
            rows += " (" + Figures.count(d.rowsAfter()) + " after the run)";
        }
        String bytes = d.bytes() == null ? "" : ", " + Figures.bytes(d.bytes());
        if (d.idsDrawnFrom() == 0) {
            return d.rowsBefore() == 0
                    ? d.table()
                    : d.table() + ": " + rows + " rows" + bytes; // an operation's own tables
        }
        return d.table() + ": " + rows + " rows, " + d.keyType() + " keys" + bytes;
    }

    /** What share of the table can be drawn. */
    private String ids(DatasetInfo d) {
        String distribution = workload.keyDistribution() == null ? "" : ", " + workload.keyDistribution();
        return d.idsDrawnFrom() >= d.rowsBefore()
                ? "all " + Figures.count(d.idsDrawnFrom()) + " rows" + distribution
                : Rounded.format(
                        "a sample of %s of %s rows (%.2f%%)%s",
                        Figures.count(d.idsDrawnFrom()),
                        Figures.count(d.rowsBefore()),
                        100.0 * d.idsDrawnFrom() / d.rowsBefore(),
                        distribution);
    }

    private String phases() {
        String phases = result.run().phases().stream()
                .map(p -> p.name() + " " + Figures.seconds(p.seconds()))
                .collect(Collectors.joining(", "));
        return phases + (result.run().partial() ? "; ended early" : "");
    }

    private String clients() {
        ClientInfo c = result.client();
        String pool = workload.pool();
        return Figures.count(result.clients()) + " on " + c.threadKind() + " threads, "
                + (pool == null || pool.equals("none")
                        ? "no pool"
                        : "pool " + pool + (workload.poolSize() == 0 ? "" : " of " + workload.poolSize()))
                + (workload.transaction() ? ", one transaction per operation" : "")
                + (workload.queryMode() == null ? "" : ", query mode " + workload.queryMode())
                + (wouldLoop(c) ? "; JDK 25 runs this many clients faster, on event loops" : "");
    }

    /** Whether the client's JDK is too old for event loops, and they would have been chosen. */
    private boolean wouldLoop(ClientInfo c) {
        try {
            String version = c.jvm().substring(c.jvm().lastIndexOf(' ') + 1);
            return Runtime.Version.parse(version).feature() < FIRST_WITH_LOOPS
                    && result.clients()
                            >= LOOP_CLIENTS_PER_CORE
                                    * c.cpus()
                                    * Math.max(1, result.hosts().size());
        } catch (IllegalArgumentException e) {
            return false; // a result whose versions differ
        }
    }

    private String software() {
        return "pgstress " + result.header().tool().version() + ", "
                + result.header().tool().driver() + ", " + result.client().jvm() + "; seed "
                + result.run().seed();
    }

    /** @param isOnly whether it is the only server, whose role is omitted */
    static String server(ServerInfo s, boolean isOnly) {
        String socket = "unix".equals(s.transport()) ? " over a Unix socket" : "";
        return s.url() + socket + (isOnly ? "" : " (" + s.role() + ")") + ": " + s.kind() + ", "
                + s.version().replaceFirst(" on .*", "")
                + (s.tls() == null ? "" : "; " + s.tls()) + "; data column as " + s.transferFormat();
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }
}
