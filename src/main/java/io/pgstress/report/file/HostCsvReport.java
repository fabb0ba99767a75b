package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.Network;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/** CSV with one row per stress host of a run on several hosts. */
public final class HostCsvReport extends CsvReport {
    private static final List<String> COLUMNS = List.of(
            "run",
            "started_at",
            "host",
            "clients",
            "ok",
            "failed",
            "ops_per_second",
            "client_cpu_cores",
            "cpus",
            "gc_pause_seconds",
            "load_average",
            "own_turn_share",
            "in_mbit_per_second",
            "out_mbit_per_second",
            "clock_offset_micros",
            "clock_bound_micros",
            "lost_at_seconds",
            "valid");

    @Override
    public String name() {
        return "csv-hosts";
    }

    @Override
    public String description() {
        return "CSV with one row per stress host, if there are several.";
    }

    @Override
    List<String> header() {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(timeColumns(List.of("latency")));
        return header;
    }

    @Override
    List<List<String>> rows(RunResult result) {
        return result.hosts().stream().map(host -> row(result, host)).toList();
    }

    private static List<String> row(RunResult result, HostResult host) {
        ClientInfo client = host.client();
        Network network = host.network();
        List<String> row = new ArrayList<>(List.of(
                result.run().id(),
                result.run().startedAt(),
                host.name(),
                Integer.toString(host.clients()),
                Long.toString(host.ok()),
                Long.toString(host.failed()),
                Figures.plain(host.opsPerSecond()),
                client == null ? "" : Figures.plain(client.cpuCoresUsed()),
                client == null ? "" : Integer.toString(client.cpus()),
                client == null ? "" : Figures.plain(client.gcPauseSeconds()),
                client == null ? "" : cell(client.loadAverage()),
                client == null ? "" : cell(client.ownWaitShare()),
                network == null ? "" : Figures.plain(network.inMbitPerSecond()),
                network == null ? "" : Figures.plain(network.outMbitPerSecond()),
                cell(host.clockOffsetMicros()),
                cell(host.clockBoundMicros()),
                cell(host.lostAtSeconds()),
                Boolean.toString(host.valid())));
        row.addAll(times(host.latencyMicros()));
        return row;
    }
}
