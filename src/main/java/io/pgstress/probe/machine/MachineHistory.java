package io.pgstress.probe.machine;

import io.pgstress.machine.Environment;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.HostSample;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The readings of a machine during a run, and its properties. Thread-safe. */
public final class MachineHistory {
    private final String name;
    private final String role;
    private final boolean loopback;
    private final List<MachineCounters> readings = new ArrayList<>();
    private @Nullable MachineCounters last;
    private @Nullable MachineCounters end;
    private @Nullable Environment environment;
    private String dataDisk = "";

    /**
     * @param name the machine's name in results
     * @param role its role in the cluster, or {@code client}
     * @param loopback whether the loopback interface is part of its network
     */
    public MachineHistory(String name, String role, boolean loopback) {
        this.name = name;
        this.role = role;
        this.loopback = loopback;
    }

    /** The files that each reading needs. */
    public static List<String> files() {
        return MachineCounters.FILES;
    }

    /** The files that the first and the last reading of a measurement need, for figures that only its totals have. */
    public static List<String> filesOfTotals() {
        return Stream.concat(files().stream(), Stream.of(MachineCounters.INTERRUPTS))
                .toList();
    }

    /** The files with the machine's properties. */
    public static List<String> environmentFiles(MachineFiles counters) {
        return EnvironmentFiles.paths(counters);
    }

    /** Forgets all readings; {@link #keepLast} can bring back the last one. */
    public synchronized void restart() {
        readings.clear();
        end = null;
    }

    /**
     * Adds a reading.
     *
     * @param runSeconds its time in seconds since the start of the load, pauses excluded
     * @throws IllegalArgumentException if the files have no counters
     */
    public synchronized void add(MachineFiles files, long nanoTime, double runSeconds) {
        MachineCounters now = MachineCounters.parse(files, loopback, nanoTime, runSeconds);
        readings.add(now);
        last = now;
    }

    /** Records that the first reading since {@link #restart} failed: the last one before takes its place. */
    public synchronized void keepLast() {
        if (last != null && readings.isEmpty()) {
            readings.add(last);
        }
    }

    /** Ends the period of the totals at the last reading; later ones are only samples. */
    public synchronized void measureEnds() {
        end = last;
    }

    public synchronized boolean hasEnvironment() {
        return environment != null;
    }

    /** Sets the properties of the machine. */
    public synchronized void environment(MachineFiles files, @Nullable Long openFiles) {
        environment = EnvironmentFiles.parse(files, openFiles);
        dataDisk = EnvironmentFiles.dataDisk(files);
    }

    /** The properties; null if unknown. */
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
     */
    public synchronized @Nullable HostProfile profile(double measureStart) {
        if (readings.isEmpty()) {
            return null;
        }
        MachineCounters until = end == null ? readings.get(readings.size() - 1) : end;
        HostSample all = until.since(readings.get(0), measureStart, dataDisk);
        if (all == null) {
            return null;
        }
        List<HostSample> samples = new ArrayList<>();
        for (int i = 1; i < readings.size(); i++) {
            HostSample sample = readings.get(i).since(readings.get(i - 1), measureStart, dataDisk);
            if (sample != null) {
                samples.add(sample);
            }
        }
        return new HostProfile(
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
                until.processesSince(readings.get(0)));
    }
}
