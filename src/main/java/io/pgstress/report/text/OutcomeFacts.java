package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.result.ServerInfo;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Facts below the figures: exclusions, network, load, outages. */
final class OutcomeFacts {
    private final RunResult result;

    OutcomeFacts(RunResult result) {
        this.result = result;
    }

    List<Fact> all() {
        List<Fact> facts = new ArrayList<>();
        addExcluded(facts);
        addErrors(facts);
        NodeResult.ClientOperations each = result.clientOperations();
        if (each != null && each.clients() > 1) {
            facts.add(new Fact("per client", each.words()));
        }
        Double ownWait = result.client().ownWaitShare();
        if (ownWait != null) {
            facts.add(new Fact("client wait", "about " + Rounded.percent(ownWait, 0) + " of the mean latency"));
        }
        if (result.run().workload().hasRate()) {
            facts.add(new Fact("schedule", schedule()));
        }
        result.dataset().afterwards().forEach(text -> facts.add(new Fact("check", text)));
        facts.add(Fact.detail("network", network()));
        facts.add(Fact.detail("load", load()));
        Pauses halts = result.load().halts();
        if (halts.count() > 0) {
            facts.add(new Fact(
                    "pauses",
                    halts.count() + " pauses to reset the tables, " + Figures.seconds(halts.seconds())
                            + " in total, excluded from results"));
        }
        Pauses.Rounds rounds = halts.rounds();
        if (rounds != null) {
            facts.add(new Fact("rounds", words(rounds)));
        }
        for (Outage outage : result.load().outages()) {
            facts.add(new Fact(
                    "outage", outage(outage, !result.run().workload().rates().isEmpty())));
        }
        facts.addAll(ServerLines.lines(result.serverProfile()));
        for (LimitCheck limit : result.limits()) {
            facts.add(new Fact("--fail-if " + limit.limit() + ":", limit.words(), !limit.broken()));
        }
        return facts;
    }

    private static String words(Pauses.Rounds rounds) {
        return rounds.rowsPerSecond().size() + " rounds: " + Figures.rate(rounds.first()) + " rows/s in the first, "
                + Figures.rate(rounds.last()) + " in the last, "
                + Rounded.format(
                        "%+,.0f rows/s (%+.2f%%)",
                        rounds.changePerRound(), 100 * rounds.changePerRound() / rounds.first())
                + " per round";
    }

    /** Adds operations excluded from rates, and the number of retried or late ones among the rest. */
    private void addExcluded(List<Fact> facts) {
        OperationResult all = result.total();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("errors", all.failed());
        counts.put("misses", all.misses());
        counts.put("duplicates", all.duplicates());
        counts.put("unfinished", all.unfinished());
        addCounts(facts, "excluded", counts);
        Map<String, Long> included = new LinkedHashMap<>();
        included.put("retries", all.retries());
        included.put("late", all.late());
        addCounts(facts, "included", included);
    }

    private static void addCounts(List<Fact> facts, String label, Map<String, Long> counts) {
        String words = counts.entrySet().stream()
                .filter(c -> c.getValue() > 0)
                .map(c -> c.getKey() + " " + Figures.count(c.getValue()))
                .collect(Collectors.joining(", "));
        facts.add(words.isEmpty() ? Fact.detail(label, "none") : new Fact(label, words));
    }

    private void addErrors(List<Fact> facts) {
        result.operations()
                .forEach((name, o) -> o.errors()
                        .forEach((state, e) -> facts.add(new Fact(
                                "error " + state,
                                Figures.count(e.count()) + " in " + name + when(state) + ": "
                                        + e.sample().replaceAll("\\R", " ")))));
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
        OperationResult all = result.total();
        String late = lag == null
                ? ""
                : "; started late by " + Figures.decimal(lag.mean() / 1000, 3) + " ms on average, p99 "
                        + Figures.decimal(lag.p99() / 1000, 3) + " ms, at most "
                        + Figures.decimal(lag.max() / 1000, 3) + " ms";
        return "target " + result.run().workload().rateText() + " ops/s, achieved " + Figures.rate(all.opsPerSecond())
                + late
                + (result.load().open().backlog() == null
                        ? ""
                        : "; backlog at the end "
                                + Figures.count(result.load().open().backlog()));
    }

    private String network() {
        Network n = result.load().network();
        return "in " + Figures.decimal(n.inMbitPerSecond(), 1) + " Mbit/s (" + Figures.bytes(n.bytesIn()) + "), out "
                + Figures.decimal(n.outMbitPerSecond(), 1) + " Mbit/s (" + Figures.bytes(n.bytesOut()) + ")";
    }

    private String load() {
        ClientInfo c = result.client();
        StringBuilder text = new StringBuilder("client ").append(average(c.loadAverage()));
        for (ServerInfo s : result.servers()) {
            text.append(", server ").append(average(s.loadAverage()));
        }
        return text.append("; the client used ")
                .append(Figures.decimal(c.cpuCoresUsed(), 2))
                .append(" of ")
                .append(c.cpus())
                .append(" cores, ")
                .append(Figures.decimal(c.cpuMicrosPerOperation(), 1))
                .append(" us per operation, garbage collection paused ")
                .append(Figures.decimal(c.gcPauseSeconds(), 3))
                .append(" s")
                .append(
                        c.compilerSeconds() == null
                                ? ""
                                : ", the JVM compiled for " + Figures.decimal(c.compilerSeconds(), 2) + " s")
                .append(c.residentBytes() == null ? "" : ", " + Figures.bytes(c.residentBytes()) + " resident")
                .toString();
    }

    private static String average(@Nullable Double load) {
        return load == null ? "unknown" : Figures.decimal(load, 2);
    }

    private static String outage(Outage o, boolean isOpen) {
        StringBuilder text = new StringBuilder(Figures.decimal(o.fromSeconds(), 3))
                .append(" to ")
                .append(Figures.decimal(o.toSeconds(), 3))
                .append(" s (")
                .append(Figures.decimal(o.toSeconds() - o.fromSeconds(), 3))
                .append(o.silent() ? " s in which " + o.node() + " did not answer the checks" : " s without a success")
                .append(o.silent() || o.node() == null ? "" : " on " + o.node());
        if (!o.silentServers().isEmpty()) {
            text.append("; ").append(String.join(", ", o.silentServers())).append(" did not answer the checks either");
        }
        if (o.operationsLost() != null) {
            text.append("; about ")
                    .append(Figures.count(o.operationsLost()))
                    .append(isOpen ? " operations delayed" : " operations fewer than at the rate before");
        }
        if (o.fullRateAtSeconds() != null) {
            text.append("; full rate again at ")
                    .append(Figures.decimal(o.fullRateAtSeconds(), 1))
                    .append(" s");
        }
        return text.append(')').toString();
    }
}
