package io.pgstress.report.text;

import io.pgstress.report.format.Asked;
import io.pgstress.report.format.Figures;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was run, where and how, in words; what stands above the figures. */
final class SetupFacts {
    private final RunResult result;
    private final Asked asked;

    SetupFacts(RunResult result) {
        this.result = result;
        this.asked = new Asked(result);
    }

    /** What was run, in one line. */
    String title() {
        return asked.mix() + " on " + result.dataset().table() + ", "
                + (asked.text("statement").isEmpty() ? "" : asked.text("statement") + " statements, ")
                + Figures.count(asked.clients()) + " clients, " + load();
    }

    private String load() {
        if (!asked.isOpen()) {
            return "closed load";
        }
        String arrival = asked.text("arrival");
        return "open load of " + asked.text("rate") + " ops/s" + (arrival.isEmpty() ? "" : " (" + arrival + ")");
    }

    List<Fact> all() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("data", data()));
        facts.add(new Fact("phases", phases()));
        facts.add(new Fact("clients", clients()));
        facts.add(Fact.detail("software", software()));
        for (ServerInfo server : result.servers()) {
            facts.add(new Fact("server", server(server)));
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
            rows += " (afterwards unknown)";
        } else if (d.rowsAfter() != d.rowsBefore()) {
            rows += " (afterwards " + Figures.count(d.rowsAfter()) + ")";
        }
        String bytes = d.bytes() == null ? "" : ", " + Figures.bytes(d.bytes());
        if (d.idsDrawnFrom() == 0) {
            return d.rowsBefore() == 0
                    ? d.table()
                    : d.table() + ": " + rows + " rows" + bytes; // an operation's own tables
        }
        return d.table() + ": " + rows + " rows, " + d.keyType() + " keys" + bytes + ", "
                + Figures.count(d.idsDrawnFrom()) + " ids drawn from"
                + (asked.text("key-distribution").isEmpty() ? "" : " (" + asked.text("key-distribution") + ")");
    }

    private String phases() {
        String phases = result.run().phases().stream()
                .map(p -> p.name() + " " + Figures.seconds(p.seconds()))
                .collect(Collectors.joining(", "));
        return phases + (result.run().partial() ? "; ended before its time" : "");
    }

    private String clients() {
        ClientInfo c = result.client();
        String pool = asked.text("pool");
        String size = asked.text("pool-size");
        return Figures.count(asked.clients()) + " on " + c.threadKind() + " threads, "
                + (pool.isEmpty() || pool.equals("none")
                        ? "no pool"
                        : "pool " + pool + (size.isEmpty() || size.equals("0") ? "" : " of " + size))
                + (asked.flag("transaction") ? ", one transaction per operation" : "")
                + (asked.text("query-mode").isEmpty() ? "" : ", query mode " + asked.text("query-mode"));
    }

    private String software() {
        return "pgstress " + result.tool().version() + ", " + result.tool().driver() + ", "
                + result.client().jvm() + "; seed " + result.run().seed();
    }

    static String server(ServerInfo s) {
        return s.url() + " (" + s.role() + "): " + s.kind() + ", " + s.version().replaceFirst(" on .*", "")
                + "; data column as " + s.transferFormat();
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }
}
