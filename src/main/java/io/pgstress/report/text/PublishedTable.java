package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run as a row of a table that an author would publish: what was run, its rate and times, and the load that it caused. */
final class PublishedTable {
    private final RunResult result;

    PublishedTable(RunResult result) {
        this.result = result;
    }

    /** One row per operation; traffic and load are those of the whole run. */
    TextTable table() {
        TextTable table = new TextTable(
                2,
                List.of(
                        "operation",
                        "data",
                        "clients",
                        "ops/s",
                        "with connecting",
                        "without",
                        "mean ms",
                        "stddev ms",
                        "min ms",
                        "p50 ms",
                        "p99 ms",
                        "max ms",
                        "in Mbit/s",
                        "out Mbit/s",
                        "client CPU",
                        "server CPU",
                        "client load",
                        "server load"));
        boolean isMix = result.operations().size() > 1;
        result.operations().forEach((name, operation) -> table.add(row(name, operation, !isMix)));
        if (isMix) {
            table.add(row("all", result.total(), true));
        }
        return table.optional(
                "server load",
                "client load",
                "data",
                "clients",
                "min ms",
                "stddev ms",
                "in Mbit/s",
                "out Mbit/s",
                "client CPU",
                "server CPU",
                "mean ms");
    }

    private List<String> row(String name, OperationResult operation, boolean isWhole) {
        Latency times = result.headline(operation);
        List<String> row = new ArrayList<>(List.of(
                name,
                result.dataset().table(),
                Figures.count(result.clients()),
                Figures.rate(operation.opsPerSecond())));
        row.addAll(isWhole ? ConnectingText.rates(result.load().connecting()) : List.of("", ""));
        row.add(time(times, Latency::mean));
        row.add(time(times, Latency::stddev));
        row.add(time(times, Latency::min));
        row.add(time(times, Latency::p50));
        row.add(time(times, Latency::p99));
        row.add(time(times, Latency::max));
        row.addAll(isWhole ? load() : List.of("", "", "", "", "", ""));
        return row;
    }

    private String time(@Nullable Latency times, Function<Latency, @Nullable Double> figure) {
        Double value = times == null || times.count() == 0 ? null : figure.apply(times);
        return value == null ? "-" : Figures.millis(value);
    }

    private List<String> load() {
        return List.of(
                Figures.decimal(result.load().network().inMbitPerSecond(), 1),
                Figures.decimal(result.load().network().outMbitPerSecond(), 1),
                cpu(result.serverProfile().machines().stream()
                        .filter(m -> m.role().equals("client"))
                        .toList()),
                cpu(result.serverProfile().hosts()),
                average(result.client().loadAverage()),
                average(result.servers().stream()
                        .map(ServerInfo::loadAverage)
                        .filter(Objects::nonNull)
                        .max(Double::compare)
                        .orElse(null)));
    }

    /** The range over the machines. */
    private static String cpu(Collection<MachineProfile> machines) {
        List<Double> busy = machines.stream()
                .map(MachineProfile::cpuBusy)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
        if (busy.isEmpty()) {
            return "-";
        }
        String min = Figures.decimal(100 * busy.get(0), 0);
        String max = Figures.decimal(100 * busy.get(busy.size() - 1), 0);
        return (min.equals(max) ? max : min + "-" + max) + "%";
    }

    private static String average(@Nullable Double load) {
        return load == null ? "-" : Figures.decimal(load, 2);
    }
}
