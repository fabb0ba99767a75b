package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The properties of a machine from its files. */
final class EnvironmentTest {
    private static final String MOUNTS = """
        22 1 254:0 / / rw,relatime - ext4 /dev/vda1 rw
        40 22 253:0 / /data rw,noatime shared:3 - xfs /dev/mapper/vg-data rw,attr2
        41 22 253:1 / /database rw shared:4 - ext4 /dev/mapper/other rw
        """;

    private static Environment of(Map<String, String> files) {
        return Environment.parse(new MachineFiles(files), null);
    }

    @Test
    void readsWhatThereIs() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                "/proc/cpuinfo",
                "processor\t: 0\nmodel name\t: AMD EPYC 9R14\nflags\t\t: fpu hypervisor sse\n\nflags : x");
        files.put("/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
        files.put("/proc/sys/kernel/random/boot_id", "b-1\n");
        files.put("/proc/sys/kernel/osrelease", "6.1.0\n");
        files.put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        files.put("/sys/devices/system/node/online", "0-1\n");
        files.put("/sys/devices/system/cpu/online", "0-3,6\n");
        files.put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        files.put("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
        files.put("/sys/class/dmi/id/product_name", "m7a.large\n");
        files.put("/proc/self/mountinfo", MOUNTS);
        files.put("/sys/class/net/eth0/device/uevent", "DRIVER=ena\n");
        files.put("/sys/class/net/eth0/queues/rx-0/rps_cpus", "0\n");
        files.put("/sys/class/net/docker0/device/uevent", "");
        files.put(Environment.DATA_DIRECTORY, "/data/pg/16");
        files.put(Environment.MAX_CONNECTIONS, "100");
        files.put(Environment.MAX_PREPARED, "10");
        files.put("fsync", "on");
        files.put("synchronous_commit", "off");

        assertThat(of(files))
                .isEqualTo(new Environment(
                        "b-1",
                        "AMD EPYC 9R14",
                        5,
                        "powersave",
                        2,
                        16_777_216L,
                        "madvise",
                        "6.1.0",
                        "Amazon EC2 m7a.large",
                        "tsc",
                        "/dev/mapper/vg-data",
                        "xfs",
                        "rw,noatime",
                        true,
                        null,
                        100,
                        10,
                        Map.of("fsync", "on", "synchronous_commit", "off")));
        assertThat(Environment.dataDisk(new MachineFiles(files))).isEqualTo("253:0");
    }

    @Test
    void unknownIsNull() {
        assertThat(of(Map.of())).isEqualTo(Json.read("{}", Environment.class));
    }

    @Test
    void singleQueueIsThatOfACardInUseWhoseWorkIsNotDistributed() {
        assertThat(singleQueue("up", "00000000,00000000", "")).isTrue();
        assertThat(singleQueue("unknown", "0", "")).isTrue();
        assertThat(singleQueue("up", "00000000,0000000e", "")).as("rps_cpus").isFalse();
        assertThat(singleQueue("up", "0", "0")).as("two queues").isFalse();
        assertThat(singleQueue("down", "0", "")).as("not in use").isNull();
        assertThat(singleQueue("up", "", "")).as("queues unknown").isNull();
    }

    private static @Nullable Boolean singleQueue(String state, String first, String second) {
        String card = "/sys/class/net/eth0/";
        return of(Map.of(
                        card + "device/uevent",
                        "DRIVER=igb",
                        card + "operstate",
                        state,
                        card + "queues/rx-0/rps_cpus",
                        first,
                        card + "queues/rx-1/rps_cpus",
                        second))
                .singleReceiveQueue();
    }

    @Test
    void asksForTheQueuesOfEachInterfaceThatHasReceived() {
        MachineFiles counters = new MachineFiles(Map.of("/proc/net/dev", """
              lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0
             ens6: 0 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0
             ens5: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0
            a'b: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0
            """));

        List<String> paths = Environment.paths(counters);

        assertThat(paths).contains("/sys/class/net/ens5/queues/rx-1/rps_cpus");
        assertThat(paths).noneMatch(path -> path.contains("/lo/") || path.contains("ens6") || path.contains("'"));
    }
}
