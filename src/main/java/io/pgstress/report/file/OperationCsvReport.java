package io.pgstress.report.file;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.Figures;
import io.pgstress.result.Connecting;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** CSV with one row per operation, for a table of many runs. */
public final class OperationCsvReport extends CsvReport {
    private static final List<String> COLUMNS = List.of(
            "run",
            "started_at",
            "operation",
            "table",
            "statement",
            "pool",
            "threads",
            "seconds",
            "valid",
            "ok",
            "misses",
            "duplicates",
            "retries",
            "late",
            "unfinished",
            "rows",
            "failed",
            "errors",
            "ops_per_second",
            "rows_per_second");
    private static final List<String> CLIENTS =
            List.of("client_min_ok", "client_mean_ok", "client_max_ok", "client_stddev_ok");
    /** Figures of the whole run, the same in each of its rows. */
    private static final List<String> RUN = List.of(
            "in_mbit_per_second",
            "out_mbit_per_second",
            "client_cpu_busy",
            "server_cpu_busy",
            "client_load_average",
            "server_load_average",
            "connect",
            "connect_seconds",
            "connect_mean_micros",
            "ops_per_second_with_connecting",
            "ops_per_second_without_connecting");

    private static final List<String> KINDS = List.of("total", "acquire", "service", "fetch", "response", "failed");

    @Override
    public String name() {
        return "csv-operations";
    }

    @Override
    public String description() {
        return "CSV with one row per operation of --op.";
    }

    @Override
    List<String> header() {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(timeColumns(KINDS));
        header.add("mb_per_second"); // last, because they were added later
        header.addAll(CLIENTS);
        KINDS.forEach(kind -> header.addAll(List.of(kind + "_stddev_micros", kind + "_min_micros")));
        header.addAll(RUN);
        return header;
    }

    @Override
    List<List<String>> rows(RunResult result) {
        List<List<String>> rows = new ArrayList<>();
        result.operations().forEach((name, operation) -> {
            List<String> row = head(result, name);
            row.addAll(counts(operation));
            KINDS.forEach(kind -> row.addAll(times(operation.latencyMicros().get(kind))));
            row.add(cell(operation.megabytesPerSecond()));
            row.addAll(clients(result.clientOperations()));
            for (String kind : KINDS) {
                Latency latency = operation.latencyMicros().get(kind);
                row.add(cell(latency == null ? null : latency.stddev()));
                row.add(cell(latency == null ? null : latency.min()));
            }
            row.addAll(load(result));
            row.addAll(connecting(result.load().connecting()));
            rows.add(row);
        });
        return rows;
    }

    /** The successful operations per client, of all operations together. */
    private static List<String> clients(NodeResult.@Nullable ClientOperations each) {
        return each == null
                ? CLIENTS.stream().map(column -> "").toList()
                : List.of(
                        Long.toString(each.min()),
                        Figures.plain(each.mean()),
                        Long.toString(each.max()),
                        cell(each.stddev()));
    }

    private static List<String> head(RunResult result, String operation) {
        Workload workload = result.run().workload();
        return new ArrayList<>(List.of(
                result.run().id(),
                result.run().startedAt(),
                operation,
                result.dataset().table(),
                Objects.toString(workload.statement(), ""),
                Objects.toString(workload.pool(), ""),
                Integer.toString(result.clients()),
                Figures.plain(result.run().measuredSeconds()),
                Boolean.toString(result.valid())));
    }

    /** The first cells of {@link #RUN}: the highest of several machines. */
    private static List<String> load(RunResult result) {
        return List.of(
                Figures.plain(result.load().network().inMbitPerSecond()),
                Figures.plain(result.load().network().outMbitPerSecond()),
                cell(highest(result.serverProfile().machines().stream()
                        .filter(machine -> machine.role().equals("client"))
                        .map(MachineProfile::cpuBusy))),
                cell(highest(result.serverProfile().hosts().stream().map(MachineProfile::cpuBusy))),
                cell(result.client().loadAverage()),
                cell(highest(result.servers().stream().map(ServerInfo::loadAverage))));
    }

    /** The last cells of {@link #RUN}; empty if unknown. */
    private static List<String> connecting(@Nullable Connecting c) {
        return c == null
                ? List.of("", "", "", "", "")
                : List.of(
                        c.connect(),
                        cell(c.seconds()),
                        cell(c.meanMicros()),
                        cell(c.opsPerSecondWith()),
                        cell(c.opsPerSecondWithout()));
    }

    private static @Nullable Double highest(Stream<@Nullable Double> values) {
        return values.filter(Objects::nonNull)
                .map(Double.class::cast)
                .max(Double::compare)
                .orElse(null);
    }

    private static List<String> counts(OperationResult o) {
        Map<String, Long> errors = new TreeMap<>();
        o.errors().forEach((state, e) -> errors.put(state, e.count()));
        return List.of(
                Long.toString(o.ok()),
                Long.toString(o.misses()),
                Long.toString(o.duplicates()),
                Long.toString(o.retries()),
                Long.toString(o.late()),
                Long.toString(o.unfinished()),
                Long.toString(o.rows()),
                Long.toString(o.failed()),
                counts(errors),
                Figures.plain(o.opsPerSecond()),
                Figures.plain(o.rowsPerSecond()));
    }
}
