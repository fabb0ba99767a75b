package io.pgstress.machine;

import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes a machine during a run through the files of its {@code /proc} and {@code /sys}. One thread reads; any thread may ask for
 * the figures.
 */
public final class MachineWatch {
    /** How often to take a sample. */
    public static final long SAMPLE_NANOS = 2_000_000_000L;

    private static final int MAX_ATTEMPTS = 3;
    private static final double MAX_LATE = 0.05;
    private static final double MAX_LATE_SECONDS = 0.25;

    /** Reads the files of a machine, and reports to the user what it cannot read. */
    public interface Source {
        /** The files; null if they cannot be read now. */
        @Nullable
        MachineFiles read(List<String> paths);

        /** The files with the machine's properties, and settings of a server as if they were files; null if they cannot be read. */
        default @Nullable MachineFiles properties(List<String> paths) {
            return read(paths);
        }

        /**
         * A line of {@code /proc/PID/stat} for each of the node's own processes, and the first line of {@code /proc/stat} of the same
         * moment; empty if unknown.
         */
        default String processes() {
            return "";
        }

        /**
         * Whether each sample reads the control groups, to which processes may be moved, and their quotas, which may be set meanwhile. It
         * costs a server two queries.
         */
        default boolean followsGroups() {
            return false;
        }

        /** The number of files that the load tester may open; null for other machines than its own. */
        default @Nullable Long openFiles() {
            return null;
        }

        /** Called if the machine has no counters; it is not read again. */
        void hasNoCounters(String why);
    }

    private final String name;
    private final String role;
    private final boolean loopback;
    private final Source source;
    private final LongUnaryOperator sinceStart;
    private final List<MachineCounters> readings = new ArrayList<>();

    /** The quotas of all readings since the start, also of samples: one for each group, however long the run. */
    private List<CpuQuota> quotas = List.of();

    private @Nullable MachineCounters last;
    private @Nullable MachineCounters end;
    private @Nullable Environment environment;
    private String dataDisk = "";
    private List<String> groupFiles = List.of();
    private int attemptsForEnvironment;
    private boolean isReadable = true;

    /**
     * @param name the machine's name in results
     * @param role its role in the cluster, or {@code client}; empty: none
     * @param loopback whether the loopback interface is part of its network
     * @param sinceStart converts the clock's nanoseconds to those since the start of the load, pauses excluded
     */
    public MachineWatch(String name, String role, boolean loopback, Source source, LongUnaryOperator sinceStart) {
        this.name = name;
        this.role = role;
        this.loopback = loopback;
        this.source = source;
        this.sinceStart = sinceStart;
    }

    /** Whether a file is of a control group: kernels have some that they do not support, and security modules may hide all. */
    public static boolean isOfControlGroup(String path) {
        return path.startsWith(ControlGroups.ROOT);
    }

    /** Starts the period that the figures cover. If the machine cannot be read now, the last reading before takes its place. */
    public void start() {
        synchronized (this) {
            readings.clear();
            quotas = List.of();
            end = null;
        }
        boolean isRead = read(true);
        synchronized (this) {
            if (!isRead && last != null) {
                readings.add(last);
            }
        }
    }

    /** Takes a sample; returns whether the machine could be read. */
    public boolean sample() {
        return read(false);
    }

    /** Ends the period of the totals; later readings are only samples. */
    public void end() {
        if (read(true)) {
            synchronized (this) {
                end = last;
            }
        }
    }

    private boolean read(boolean isForTotals) {
        MachineFiles files =
                !isReadable ? null : source.read(isForTotals ? MachineCounters.FILES_OF_TOTALS : MachineCounters.FILES);
        if (files == null) {
            return false;
        }
        String processes = isForTotals ? source.processes() : "";
        long now = System.nanoTime();
        readEnvironment(files);
        MachineFiles groups = isForTotals || source.followsGroups() ? readGroups() : null;
        try {
            MachineCounters counters = MachineCounters.parse(
                    isForTotals ? files.with(groups) : files,
                    processes,
                    loopback,
                    now,
                    sinceStart.applyAsLong(now) / 1e9);
            synchronized (this) {
                readings.add(counters);
                if (groups != null) {
                    quotas = CpuQuota.withLater(quotas, CpuQuota.parse(groups));
                }
                last = counters;
            }
            return true;
        } catch (IllegalArgumentException e) {
            isReadable = false;
            source.hasNoCounters(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** The files of the control groups: of those in which the processes are and, as far as known, of those in which they were. */
    private @Nullable MachineFiles readGroups() {
        MachineFiles own = source.followsGroups() ? source.read(List.of(ControlGroups.OF_PROCESS)) : null;
        if (own != null) {
            groupFiles = Stream.concat(
                            groupFiles.stream(),
                            MachineCounters.groupFiles(own.text(ControlGroups.OF_PROCESS)).stream())
                    .distinct()
                    .toList();
        }
        return groupFiles.isEmpty() ? null : source.read(groupFiles);
    }

    private void readEnvironment(MachineFiles counters) {
        // a broken session costs one attempt; a server that refuses is not asked again and again
        MachineFiles files =
                attemptsForEnvironment >= MAX_ATTEMPTS ? null : source.properties(Environment.paths(counters));
        attemptsForEnvironment++;
        if (files != null) {
            attemptsForEnvironment = MAX_ATTEMPTS;
            synchronized (this) {
                environment = Environment.parse(files, source.openFiles());
                dataDisk = Environment.dataDisk(files);
                groupFiles = MachineCounters.groupFiles(files.text(ControlGroups.OF_PROCESS));
            }
        }
    }

    /** The properties of the machine; null if unknown. */
    public synchronized @Nullable Environment environment() {
        return environment;
    }

    /** The load average at the last reading; null if there was none. */
    public synchronized @Nullable Double loadAverage() {
        return last == null ? null : Double.valueOf(last.loadAverage());
    }

    /**
     * The figures since the start; null if unknown.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     * @param measuredSeconds its duration
     */
    public synchronized @Nullable MachineProfile profile(double measureStart, double measuredSeconds) {
        if (readings.isEmpty()) {
            return null;
        }
        MachineCounters until = end == null ? readings.get(readings.size() - 1) : end;
        MachineCounters first = readings.get(0);
        MachineSample all = until.since(
                Records.with(first, "quotas", CpuQuota.withLater(first.quotas(), quotas)), measureStart, dataDisk);
        if (all == null) {
            return null;
        }
        double tolerated = Math.max(MAX_LATE_SECONDS, MAX_LATE * measuredSeconds);
        boolean isLate = Math.abs(readings.get(0).runSeconds() - measureStart) > tolerated
                || Math.abs(until.runSeconds() - measureStart - measuredSeconds) > tolerated;
        List<MachineSample> samples = IntStream.range(1, readings.size())
                .mapToObj(i -> readings.get(i).since(readings.get(i - 1), measureStart, dataDisk))
                .filter(Objects::nonNull)
                .map(MachineSample.class::cast)
                .toList();
        return new MachineProfile(
                name,
                role,
                all.cpuBusy(),
                all.loadAverage(),
                all.inMbitPerSecond(),
                all.outMbitPerSecond(),
                all.diskWriteMbPerSecond(),
                samples,
                all.use(),
                environment,
                until.processesSince(readings.get(0)),
                isLate);
    }
}
