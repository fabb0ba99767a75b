package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** How busy the CPUs are to which a process is limited. */
final class UsableCpusTest {
    /** A machine whose CPU 2 is offline. Each CPU has counted 100 ticks, {@code worked} of them busy. */
    private static UsableCpus read(String allowed, int... worked) {
        StringBuilder stat = new StringBuilder("cpu  1 2 3 4 5 6 7 8\n");
        int[] numbers = {0, 1, 3, 11};
        for (int i = 0; i < numbers.length; i++) {
            stat.append("cpu%d %d 0 0 %d 0 0 0 0 0 0%n".formatted(numbers[i], worked[i], 100 - worked[i]));
        }
        return UsableCpus.parse(new MachineFiles(Map.of(
                "/proc/stat",
                stat.toString(),
                "/proc/self/status",
                "Cpus_allowed:\tf\nCpus_allowed_list:\t" + allowed + "\nMems_allowed_list:\t0\n")));
    }

    private static UsableCpus atStart(String allowed) {
        return new UsableCpus(read(allowed, 0, 0, 0, 0).each().stream()
                .map(cpu -> new MachineCounters.CpuTicks(0, 0, 0, 0, 0, 0))
                .toList());
    }

    @Test
    void othersDoNotCount() {
        assertThat(read("1", 0, 90, 0, 0).busySince(atStart("1"))).isEqualTo(0.9);
        assertThat(read("0,3", 0, 90, 40, 100).busySince(atStart("0,3"))).isEqualTo(0.2);
        assertThat(read("1-4", 100, 90, 40, 100).busySince(atStart("1-4"))).isEqualTo(0.65);
        assertThat(read("3,10-12", 0, 0, 40, 100).busySince(atStart("3,10-12"))).isEqualTo(0.7);
    }

    @Test
    void allCpusOfTheMachineAreNoLimit() {
        assertThat(read("0-63", 0, 0, 0, 0)).isEqualTo(UsableCpus.ALL);
        assertThat(UsableCpus.ALL.busySince(UsableCpus.ALL)).isNegative();
        assertThat(read("1", 0, 90, 0, 0).busySince(UsableCpus.ALL))
                .as("it was not limited before")
                .isNegative();
        assertThat(UsableCpus.parse(new MachineFiles(Map.of()))).isEqualTo(UsableCpus.ALL);
    }
}
