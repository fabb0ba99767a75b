package io.pgstress.machine;

import io.pgstress.text.Records;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a machine over the run, from its {@code /proc}.
 *
 * @param node the name of the node whose machine it is, or of the machine
 * @param cpuBusy share of all cores, 0 to 1. The system counts in ticks, and misses what runs between them: the exact time of a process is
 *     a lower bound
 * @param loadAverage the one-minute load average at the end
 * @param samples the same figures every few seconds
 * @param use what its CPUs and disks did
 * @param environment its properties; null if unknown
 * @param processCpu share of all cores' time that the node's own processes took, 0 to 1: the server's, or the load tester's. Tells
 *     nodes on one machine apart; null if unknown
 * @param readLate whether the totals cover another period than the measurement, by more than 5% and 0.25 s
 */
public record MachineProfile(
        String node,
        String role,
        @Nullable Double cpuBusy,
        @Nullable Double loadAverage,
        @Nullable Double inMbitPerSecond,
        @Nullable Double outMbitPerSecond,
        @Nullable Double diskWriteMbPerSecond,
        List<MachineSample> samples,
        @Nullable MachineUse use,
        @Nullable Environment environment,
        @Nullable Double processCpu,
        boolean readLate) {
    /** The role of a machine that generates the load. */
    public static final String CLIENT = "client";

    private static final String ENCODED_SLASH = "%2F";

    public MachineProfile {
        if (cpuBusy != null && processCpu != null) {
            cpuBusy = Math.max(cpuBusy, Math.min(1, processCpu));
        }
    }

    /** A copy with another name. */
    public MachineProfile named(String other) {
        return Records.with(this, "node", other);
    }

    /** A copy without samples. */
    public MachineProfile withoutSamples() {
        return Records.with(this, "samples", List.of());
    }

    /** The load without samples and properties. */
    public MachineProfile load() {
        return Records.with(withoutSamples(), "environment", null);
    }

    /** The properties without the load. */
    public MachineProfile properties() {
        return new MachineProfile(node, role, null, null, null, null, null, List.of(), null, environment, null, false);
    }

    /** Whether it is a machine that generates the load. */
    public boolean generatesLoad() {
        return role.equals(CLIENT);
    }

    /** Its role, or its name if it has none. */
    public String roleOrName() {
        return role.isEmpty() ? shortName() : role;
    }

    /**
     * Its name in sentences: the role if no other machine has it.
     *
     * @param roles the number of machines by role
     */
    public String nameAmong(Map<String, Long> roles) {
        return !role.isEmpty() && Objects.equals(roles.get(role), 1L) ? "the " + role : shortName();
    }

    /** Its name; host and port of a server that is named by its URL. */
    public String shortName() {
        return shortNameOf(node);
    }

    /** A node's {@link #shortName}. */
    public static String shortNameOf(String node) {
        String name = node.replaceFirst("^jdbc:postgresql://([^/?]*)\\S*", "$1");
        return name.regionMatches(true, 0, ENCODED_SLASH, 0, ENCODED_SLASH.length()) // a directory of Unix sockets
                ? URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8)
                : name;
    }

    /** Its short name, with its role. */
    public String title() {
        return role.isEmpty() || role.equals(node) ? shortName() : shortName() + " (" + role + ")";
    }
}
