package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineUse.MemoryLimitUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of CPU and memory of control groups, of both versions. */
final class ControlGroupsTest {
    private static final double SECONDS = 2;

    /** A machine whose files are read twice. */
    private static final class Machine {
        private final List<String> files;
        private final List<Map<String, String>> readings = List.of(new HashMap<>(), new HashMap<>());

        /** @param groups as in {@code /proc/self/cgroup}; what is not set is missing, as after reading */
        Machine(String groups) {
            files = MachineCounters.groupFiles(groups);
            files.forEach(file -> readings.forEach(reading -> reading.put(file, "")));
        }

        /** Sets a file that is one of those to be read. */
        Machine with(String file, String before, String after) {
            assertThat(files).contains(file);
            readings.get(0).put(file, before);
            readings.get(1).put(file, after);
            return this;
        }

        Machine with(String file, String always) {
            return with(file, always, always);
        }

        @Nullable
        QuotaUse quota() {
            List<List<CpuQuota>> quotas = new ArrayList<>();
            readings.forEach(reading -> quotas.add(CpuQuota.parse(new MachineFiles(reading))));
            return CpuQuota.use(quotas.get(1), quotas.get(0), SECONDS);
        }

        @Nullable
        MemoryLimitUse memoryLimit() {
            List<List<MemoryLimit>> limits = new ArrayList<>();
            readings.forEach(reading -> limits.add(MemoryLimit.parse(new MachineFiles(reading))));
            return MemoryLimit.use(limits.get(1), limits.get(0), SECONDS);
        }
    }

    private static String stat(long usedMicros, long periods, long throttled) {
        return "usage_usec " + usedMicros + "\nnr_periods " + periods + "\nnr_throttled " + throttled
                + "\nthrottled_usec 9\n";
    }

    @ParameterizedTest
    @CsvSource({
        "0::/system.slice/pg.service, /sys/fs/cgroup/system.slice/pg.service",
        "0::/a, /sys/fs/cgroup",
        "0::/../b/x.y@z, /sys/fs/cgroup/../b",
        "0::/, /sys/fs/cgroup",
    })
    void quotaOfVersion2(String groups, String directory) {
        assertThat(new Machine(groups)
                        .with(directory + "/cpu.max", "27000 100000\n")
                        .with(directory + "/cpu.stat", stat(1_000_000, 100, 10), stat(1_500_000, 200, 18))
                        .quota())
                .isEqualTo(new QuotaUse(directory, 0.27, 0.4, 0.25));
    }

    @ParameterizedTest
    @CsvSource({
        "'4:memory:/m\n2:cpu,cpuacct:/docker/1\n0::/', cpu/docker/1, cpuacct/docker/1, 0.25",
        "'4:memory:/m\n2:cpuacct,cpu:/docker/1\n0::/', cpu, cpuacct, 0.25",
        "'3:cpuacct:/q/n1\n2:cpu:/q/n1\n0::/', cpu/q/n1, cpuacct/q/n1, 0.25",
        "'3:cpuacct:/other\n2:cpu:/q/n1\n0::/', cpu/q/n1, cpuacct/other,",
    })
    void quotaOfVersion1(String groups, String cpu, String cpuacct, @Nullable Double used) {
        String directory = "/sys/fs/cgroup/" + cpu;
        assertThat(new Machine(groups)
                        .with(directory + "/cpu.cfs_quota_us", "3000\n")
                        .with(directory + "/cpu.cfs_period_us", "10000\n")
                        .with(
                                directory + "/cpu.stat",
                                "nr_periods 100\nnr_throttled 10\nthrottled_time 5\n",
                                "nr_periods 200\nnr_throttled 96\nthrottled_time 9\n")
                        .with("/sys/fs/cgroup/" + cpuacct + "/cpuacct.usage", "1000000000\n", "1500000000\n")
                        .quota())
                .isEqualTo(new QuotaUse(directory, 0.3, 0.43, used));
    }

    /** The kernel counts no periods while nothing runs. */
    @Test
    void idleGroupIsNotHeldUpThoughItUsedUpEachOfItsPeriods() {
        assertThat(new Machine("0::/")
                        .with("/sys/fs/cgroup/cpu.max", "2000 10000")
                        .with("/sys/fs/cgroup/cpu.stat", stat(0, 0, 0), stat(40_000, 20, 20))
                        .quota())
                .isEqualTo(new QuotaUse("/sys/fs/cgroup", 0.2, 0.1, 0.02));
    }

    @Test
    void quotaOfAGroupAboveCountsIfItIsSmallerOrUsedUp() {
        String slice = "/sys/fs/cgroup/pod.slice";
        Machine machine = new Machine("0::/pod.slice/deep/container")
                .with(slice + "/cpu.max", "100000 100000")
                .with(slice + "/cpu.stat", stat(0, 10, 1), stat(2_000_000, 30, 1))
                .with(slice + "/deep/container/cpu.max", "200000 100000")
                .with(slice + "/deep/container/cpu.stat", stat(0, 10, 1), stat(2_000_000, 30, 1));
        assertThat(machine.quota()).as("the smallest").isEqualTo(new QuotaUse(slice, 1, 0, 1.0));

        machine.with(slice + "/deep/container/cpu.stat", stat(0, 10, 1), stat(4_000_000, 30, 16));
        assertThat(machine.quota())
                .as("the one used up")
                .isEqualTo(new QuotaUse(slice + "/deep/container", 2, 0.75, 2.0));
    }

    @Test
    void groupWithoutLimitsHasNone() {
        Machine machine = new Machine("5:memory:/a\n0::/a")
                .with("/sys/fs/cgroup/a/cpu.max", "max 100000")
                .with("/sys/fs/cgroup/a/cpu.stat", stat(1, 0, 0))
                .with("/sys/fs/cgroup/a/memory.max", "max")
                .with("/sys/fs/cgroup/a/memory.events", "max 0")
                .with("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712")
                .with("/sys/fs/cgroup/memory/a/memory.failcnt", "0");
        assertThat(machine.quota()).isNull();
        assertThat(machine.memoryLimit()).isNull();
        assertThat(MachineCounters.groupFiles("0::/it's a path")).isEmpty();
    }

    /** The processes are moved to a group during the measurement, and out of it before its end; another group gets its quota meanwhile. */
    @Test
    void quotasThatBeginDuringTheMeasurementCount() {
        Map<String, String> files = new HashMap<>(Map.of(
                "/proc/loadavg", "0.5 0.5 0.5 1/2 3",
                "/proc/self/cgroup", "1:cpu:/",
                "/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "20000",
                "/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000",
                "/sys/fs/cgroup/cpu/box/cpu.stat", "nr_throttled 7"));
        AtomicInteger ticks = new AtomicInteger();
        MachineWatch.Source source = new MachineWatch.Source() {
            @Override
            public MachineFiles read(List<String> paths) {
                files.put("/proc/stat", "cpu " + 100 * ticks.incrementAndGet() + " 0 0 9 0 0 0 0 0 0");
                Map<String, String> found = new HashMap<>();
                paths.forEach(path -> found.put(path, files.getOrDefault(path, "")));
                return new MachineFiles(found);
            }

            @Override
            public boolean followsGroups() {
                return true;
            }

            @Override
            public void hasNoCounters(String why) {
                throw new AssertionError(why);
            }
        };
        MachineWatch machine = new MachineWatch("client", "client", false, source, now -> now);
        machine.start();
        files.put("/proc/self/cgroup", "1:cpu:/box");
        machine.sample();
        files.put("/sys/fs/cgroup/cpu/box/cpu.stat", "nr_throttled 30");
        files.put("/proc/self/cgroup", "1:cpu:/");
        machine.end();

        assertThat(quotaOf(machine))
                .extracting(QuotaUse::group, QuotaUse::cores, QuotaUse::usedCores)
                .containsExactly("/sys/fs/cgroup/cpu/box", 0.2, null);
        assertThat(quotaOf(machine).throttled()).isPositive();

        files.put("/sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 0");
        files.put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
        files.put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        machine.start();
        files.put("/sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 30");
        files.put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000");
        machine.end();

        assertThat(quotaOf(machine))
                .extracting(QuotaUse::group, QuotaUse::cores)
                .containsExactly("/sys/fs/cgroup/cpu", 0.5);
    }

    private static QuotaUse quotaOf(MachineWatch machine) {
        MachineProfile profile = Objects.requireNonNull(machine.profile(0, 1));
        return Objects.requireNonNull(Objects.requireNonNull(profile.use()).quota());
    }

    /** As after a restart of a container: the counters of its group begin again. */
    @Test
    void restartedCountersHaveNoFigures() {
        assertThat(new Machine("0::/")
                        .with("/sys/fs/cgroup/cpu.max", "1000 10000")
                        .with("/sys/fs/cgroup/cpu.stat", stat(9, 100, 10), stat(5, 20, 1))
                        .quota())
                .isNull();
    }

    @Test
    void memoryLimitOfVersion2() {
        String group = "/sys/fs/cgroup/box";
        assertThat(new Machine("0::/box")
                        .with(group + "/memory.max", "268435456\n")
                        .with(
                                group + "/memory.events",
                                "low 0\nhigh 7\nmax 10\noom 0\n",
                                "low 0\nhigh 7\nmax 16\noom 0\n")
                        .with(
                                group + "/memory.stat",
                                "anon 5\nworkingset_refault_anon 10\nworkingset_refault_file 100\npgmajfault 3\n",
                                "anon 5\nworkingset_refault_anon 14\nworkingset_refault_file 196\npgmajfault 3\n")
                        .with(
                                group + "/memory.pressure",
                                "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\nfull avg10=0.00 total=5\n",
                                "some avg10=9.00 avg60=1.00 avg300=0.20 total=501000\nfull avg10=1.00 total=99999\n")
                        .memoryLimit())
                .isEqualTo(new MemoryLimitUse(268_435_456, 3, 50.0, 0.25));
    }

    private static String version1(int own, int anonymous, int files) {
        return "workingset_refault_file " + own + "\ntotal_workingset_refault_anon " + anonymous
                + "\ntotal_workingset_refault_file " + files + "\n";
    }

    @Test
    void memoryLimitOfVersion1() {
        String group = "/sys/fs/cgroup/memory/box";
        Machine machine = new Machine("4:memory:/box/inner\n0::/")
                .with(group + "/memory.limit_in_bytes", "268435456\n")
                .with(group + "/memory.failcnt", "10\n", "16\n")
                .with(group + "/memory.stat", version1(1, 10, 100), version1(2, 14, 196));
        assertThat(machine.memoryLimit()).isEqualTo(new MemoryLimitUse(268_435_456, 3, 50.0, null));

        machine.with(group + "/inner/memory.limit_in_bytes", "1000000\n").with(group + "/inner/memory.failcnt", "5\n");
        assertThat(machine.memoryLimit())
                .as("the one that was reached")
                .extracting(MemoryLimitUse::bytes)
                .isEqualTo(268_435_456.0);
    }
}
