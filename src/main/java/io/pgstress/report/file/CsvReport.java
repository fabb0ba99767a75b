package io.pgstress.report.file;

import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineSample;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.report.file.ReportFormat.Content;
import io.pgstress.report.format.Columns;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult.ClientOperations;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateStep;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.text.Csv;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of comma-separated values, with one header for all results. Numbers have a decimal point, and a cell without a value is empty.
 */
public final class CsvReport {
    /** The tables, by the names of their files without {@code .csv}. */
    public static final List<ReportFormat> TABLES = List.of(
            table("intervals", "one row per interval", CsvReport::intervals),
            table("operations", "one row per operation of --op", CsvReport::operations),
            table("steps", "one row per step of --rate", CsvReport::steps),
            table("hosts", "one row per load generator host", CsvReport::hosts),
            table("machines", "one row per machine every 2 seconds", CsvReport::machines));

    private CsvReport() {}

    private static ReportFormat table(String name, String rows, Supplier<Rows<?>> table) {
        return new ReportFormat(
                name,
                rows,
                Content.RUNS,
                (results, out) -> Csv.write(table.get().lines(results), out));
    }

    /**
     * The rows of a run, and their columns.
     *
     * @param <R> what a row is about
     */
    private record Rows<R>(Function<RunResult, Stream<R>> of, Columns<R> columns) {
        List<List<String>> lines(List<? extends Result> results) {
            List<List<String>> lines = new ArrayList<>(List.of(columns.names()));
            results.forEach(result -> of.apply((RunResult) result).forEach(row -> lines.add(columns.cells(row, ""))));
            return lines;
        }
    }

    /** An element of a run, with its name if it has one. */
    private record In<T>(RunResult run, String name, T of) {}

    private static <T> Stream<In<T>> each(RunResult run, List<T> elements) {
        return elements.stream().map(element -> new In<>(run, "", element));
    }

    private static final Columns<RunResult> RUN = new Columns<RunResult>()
            .add("run", run -> run.run().id())
            .add("started_at", run -> run.run().startedAt());

    /** The times of a kind, whose name precedes these. */
    private static final Columns<Latency> TIMES = new Columns<Latency>()
            .add("mean_micros", Latency::mean)
            .add("p50_micros", Latency::p50)
            .add("p90_micros", Latency::p90)
            .add("p95_micros", Latency::p95)
            .add("p99_micros", Latency::p99)
            .add("p999_micros", Latency::p999)
            .add("max_micros", Latency::max);

    private static final Columns<Network> NETWORK = new Columns<Network>()
            .add("in_mbit_per_second", Network::inMbitPerSecond)
            .add("out_mbit_per_second", Network::outMbitPerSecond);

    private static Rows<?> intervals() {
        Columns<IntervalResult> columns = new Columns<IntervalResult>()
                .add("at_seconds", IntervalResult::atSeconds)
                .add("seconds", IntervalResult::seconds)
                .add("phase", IntervalResult::phase)
                .part(
                        IntervalResult::counts,
                        new Columns<Counts>()
                                .add("ok", Counts::ok)
                                .add("failed", Counts::failed)
                                .add("misses", Counts::misses)
                                .add("duplicates", Counts::duplicates)
                                .add("late", Counts::late))
                .part(
                        IntervalResult::rates,
                        new Columns<Rates>()
                                .add("ops_per_second", Rates::opsPerSecond)
                                .add("target_rate", Rates::targetRate)
                                .add("backlog", Rates::backlog))
                .part(
                        IntervalResult::usage,
                        new Columns<Usage>()
                                .add("in_mbit_per_second", Usage::inMbitPerSecond)
                                .add("out_mbit_per_second", Usage::outMbitPerSecond)
                                .add("client_cpu_cores", Usage::clientCpuCores))
                .add("errors", interval -> counts(interval.errors()))
                .part(
                        IntervalResult::times,
                        new Columns<Times>()
                                .part("total_", Times::totalMicros, TIMES)
                                .part("acquire_", Times::acquireMicros, TIMES)
                                .part("service_", Times::serviceMicros, TIMES)
                                .part("response_", Times::responseMicros, TIMES)
                                .part("lag_", Times::lagMicros, TIMES))
                .add("rows_per_second", IntervalResult::rowsPerSecond) // last, because they were added later
                .add("mb_per_second", IntervalResult::megabytesPerSecond);
        return new Rows<>(
                run -> each(run, run.intervals()),
                new Columns<In<IntervalResult>>()
                        .add("run", row -> row.run.run().id())
                        .part(In::of, columns));
    }

    private static Rows<?> steps() {
        Columns<RateStep> columns = new Columns<RateStep>()
                .add("from_seconds", RateStep::fromSeconds)
                .add("seconds", RateStep::seconds)
                .add("target_rate", RateStep::targetRate)
                .add("ops_per_second", RateStep::opsPerSecond)
                .add("backlog", RateStep::backlog)
                .add("knee", RateStep::knee)
                .part("response_", RateStep::responseMicros, TIMES);
        return new Rows<>(
                run -> each(run, run.load().open().rateSteps()),
                new Columns<In<RateStep>>().part(In::run, RUN).part(In::of, columns));
    }

    private static Rows<?> hosts() {
        Columns<ClientInfo> client = new Columns<ClientInfo>()
                .add("client_cpu_cores", ClientInfo::cpuCoresUsed)
                .add("cpus", ClientInfo::cpus)
                .add("gc_pause_seconds", ClientInfo::gcPauseSeconds)
                .add("load_average", ClientInfo::loadAverage)
                .add("own_wait_share", ClientInfo::ownWaitShare);
        Columns<HostResult> columns = new Columns<HostResult>()
                .add("host", HostResult::name)
                .add("clients", HostResult::clients)
                .add("ok", HostResult::ok)
                .add("failed", HostResult::failed)
                .add("ops_per_second", HostResult::opsPerSecond)
                .part(HostResult::client, client)
                .part(HostResult::network, NETWORK)
                .add("clock_offset_micros", HostResult::clockOffsetMicros)
                .add("clock_bound_micros", HostResult::clockBoundMicros)
                .add("lost_at_seconds", HostResult::lostAtSeconds)
                .add("valid", HostResult::valid)
                .part("latency_", HostResult::latencyMicros, TIMES);
        return new Rows<>(
                run -> each(run, run.hosts()),
                new Columns<In<HostResult>>().part(In::run, RUN).part(In::of, columns));
    }

    /** A reading of a machine. */
    private record Reading(String run, MachineProfile machine, MachineSample sample) {}

    /**
     * The disk is the one with the data, or the busiest. The columns that begin with {@code all_} are of the whole measurement, and
     * the same in all rows of a machine.
     */
    private static Rows<?> machines() {
        Columns<CpuUse> cpu = new Columns<CpuUse>()
                .add("cpu_user", CpuUse::user)
                .add("cpu_system", CpuUse::system)
                .add("cpu_interrupts", CpuUse::interrupts)
                .add("cpu_iowait", CpuUse::iowait)
                .add("cpu_steal", CpuUse::steal)
                .add("cpu_busiest", CpuUse::busiest);
        Columns<DiskUse> disk = new Columns<DiskUse>()
                .add("disk", DiskUse::device)
                .add("disk_reads_per_second", DiskUse::readsPerSecond)
                .add("disk_writes_per_second", DiskUse::writesPerSecond)
                .add("disk_await_millis", DiskUse::awaitMillis)
                .add("disk_request_kilobytes", DiskUse::requestKilobytes)
                .add("disk_queue_length", DiskUse::queueLength)
                .add("disk_busy", DiskUse::utilization);
        Columns<InterruptUse> interrupts = new Columns<InterruptUse>()
                .add("interrupts_per_second", InterruptUse::perSecond)
                .add("cpu", InterruptUse::cpu)
                .add("cpu_share", InterruptUse::share);
        Columns<MachineSample> columns = new Columns<MachineSample>()
                .add("at_seconds", MachineSample::atSeconds)
                .add("seconds", MachineSample::seconds)
                .add("cpu_busy", MachineSample::cpuBusy)
                .add("load_average", MachineSample::loadAverage)
                .add("in_mbit_per_second", MachineSample::inMbitPerSecond)
                .add("out_mbit_per_second", MachineSample::outMbitPerSecond)
                .add("disk_write_mb_per_second", MachineSample::diskWriteMbPerSecond)
                .part(
                        MachineSample::use,
                        new Columns<MachineUse>()
                                .part(MachineUse::cpu, cpu)
                                .part(
                                        use -> use.disks().isEmpty()
                                                ? null
                                                : use.disks().get(0),
                                        disk)
                                .part("receive_", MachineUse::receive, interrupts));
        return new Rows<>(
                run -> run.serverProfile().machines().all().stream()
                        .flatMap(machine -> machine.samples().stream()
                                .map(sample -> new Reading(run.run().id(), machine, sample))),
                new Columns<Reading>()
                        .add("run", Reading::run)
                        .add("machine", row -> row.machine.node())
                        .add("role", row -> row.machine.role())
                        .part(Reading::sample, columns)
                        .add("all_process_cpu", row -> row.machine.processCpu())
                        .part(
                                "all_card_",
                                row -> row.machine.use() == null
                                        ? null
                                        : row.machine.use().networkCards(),
                                interrupts)
                        .part(
                                "all_quota_",
                                row -> row.machine.use() == null
                                        ? null
                                        : row.machine.use().quota(),
                                new Columns<QuotaUse>()
                                        .add("cores", QuotaUse::cores)
                                        .add("used_cores", QuotaUse::usedCores)
                                        .add("throttled", QuotaUse::throttled)));
    }

    private static Rows<?> operations() {
        Columns<OperationResult> columns = new Columns<OperationResult>()
                .add("ok", OperationResult::ok)
                .add("misses", OperationResult::misses)
                .add("duplicates", OperationResult::duplicates)
                .add("retries", OperationResult::retries)
                .add("late", OperationResult::late)
                .add("unfinished", OperationResult::unfinished)
                .add("rows", OperationResult::rows)
                .add("failed", OperationResult::failed)
                .add("errors", CsvReport::errors)
                .add("ops_per_second", OperationResult::opsPerSecond)
                .add("rows_per_second", OperationResult::rowsPerSecond);
        List<String> kinds = List.of("total", "acquire", "service", "fetch", "response", "failed");
        kinds.forEach(kind -> columns.part(kind + "_", o -> o.latencyMicros().get(kind), TIMES));
        columns.add("mb_per_second", OperationResult::megabytesPerSecond); // last, because they were added later
        Columns<OperationResult> spread = new Columns<>();
        kinds.forEach(kind -> spread.part(
                kind + "_",
                o -> o.latencyMicros().get(kind),
                new Columns<Latency>().add("stddev_micros", Latency::stddev).add("min_micros", Latency::min)));
        Columns<ClientOperations> clients = new Columns<ClientOperations>()
                .add("client_min_ok", ClientOperations::min)
                .add("client_mean_ok", ClientOperations::mean)
                .add("client_max_ok", ClientOperations::max)
                .add("client_stddev_ok", ClientOperations::stddev);
        Columns<RunResult> setup = new Columns<RunResult>()
                .add("table", run -> run.dataset().table())
                .add("statement", run -> run.run().workload().statement())
                .add("pool", run -> run.run().workload().pool())
                .add("clients", RunResult::clients)
                .add("seconds", run -> run.run().measuredSeconds())
                .add("valid", RunResult::valid);
        return new Rows<>(
                run -> run.operations().entrySet().stream().map(o -> new In<>(run, o.getKey(), o.getValue())),
                new Columns<In<OperationResult>>()
                        .part(In::run, RUN)
                        .add("operation", In::name)
                        .part(In::run, setup)
                        .part(In::of, columns)
                        .part(row -> row.run.clientOperations(), clients)
                        .part(In::of, spread)
                        .part(In::run, wholeRun()));
    }

    /** Figures of the whole run, the same in each of its rows; the load is the highest of several machines. */
    private static Columns<RunResult> wholeRun() {
        return new Columns<RunResult>()
                .part(run -> run.load().network(), NETWORK)
                .add(
                        "client_cpu_busy",
                        run -> highest(run.serverProfile().machines().machines().stream()
                                .filter(machine -> machine.role().equals(MachineProfile.CLIENT))
                                .map(MachineProfile::cpuBusy)))
                .add(
                        "server_cpu_busy",
                        run -> highest(
                                run.serverProfile().machines().hosts().stream().map(MachineProfile::cpuBusy)))
                .add("client_load_average", run -> run.client().loadAverage())
                .add(
                        "server_load_average",
                        run -> highest(run.servers().stream().map(ServerInfo::loadAverage)))
                .part(
                        run -> run.load().connecting(),
                        new Columns<Connecting>()
                                .add("connect", Connecting::connect)
                                .add("connect_seconds", Connecting::seconds)
                                .add("connect_mean_micros", Connecting::meanMicros)
                                .add("ops_per_second_with_connecting", Connecting::opsPerSecondWith)
                                .add("ops_per_second_without_connecting", Connecting::opsPerSecondWithout));
    }

    private static @Nullable Double highest(Stream<@Nullable Double> values) {
        return values.filter(Objects::nonNull).max(Double::compare).orElse(null);
    }

    private static String errors(OperationResult o) {
        Map<String, Long> errors = new TreeMap<>();
        o.errors().forEach((state, e) -> errors.put(state, e.count()));
        return counts(errors);
    }

    /** Counts as text, such as {@code 40P01=2;57014=1}. */
    private static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(";"));
    }
}
