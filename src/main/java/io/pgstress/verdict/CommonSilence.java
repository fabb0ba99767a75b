package io.pgstress.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A period in which no server of a cluster answered its checks, in seconds since the start of the measurement. */
record CommonSilence(double from, double to) {
    /** Checks are seconds apart: silences that overlap by less may have been consecutive. */
    private static final double MIN_SECONDS = 1;

    /**
     * Finds the common silences among those of single servers.
     *
     * @param servers number of servers in the cluster; a single one has no common silence
     */
    static List<CommonSilence> of(List<Silence> silences, int servers) {
        Map<String, List<Silence>> byNode = silences.stream().collect(Collectors.groupingBy(Silence::node));
        if (servers < 2 || byNode.size() < servers) {
            return List.of();
        }
        List<CommonSilence> common = List.of(new CommonSilence(0, Double.MAX_VALUE));
        for (List<Silence> ofNode : byNode.values()) {
            List<CommonSilence> both = new ArrayList<>();
            for (CommonSilence one : common) {
                for (Silence other : ofNode) {
                    both.add(new CommonSilence(Math.max(one.from, other.from()), Math.min(one.to, other.to())));
                }
            }
            common = both;
        }
        return common.stream().filter(c -> c.to - c.from >= MIN_SECONDS).toList();
    }
}
