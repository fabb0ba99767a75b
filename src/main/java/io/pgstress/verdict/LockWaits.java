package io.pgstress.verdict;

import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import java.util.Comparator;
import java.util.Map;

/** Checks whether the load's sessions waited for locks, by samples of their wait events (pg_stat_activity) in the measurement. */
final class LockWaits {
    private static final String LOCK = "active: Lock/";

    /** Waits are reported from this share of the samples on. */
    private static final double MIN_SHARE = 0.1;

    private LockWaits() {}

    static void judge(RunResult result, Remarks remarks) {
        ServerProfile profile = result.serverProfile();
        long waits = profile.waitEvents().entrySet().stream()
                .filter(e -> e.getKey().startsWith(LOCK))
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (waits <= MIN_SHARE * profile.waitSamples()) {
            return;
        }
        profile.waitEvents().entrySet().stream()
                .filter(e -> e.getKey().startsWith(LOCK))
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .ifPresent(most -> remarks.add(
                        RemarkCode.LOCK_WAITS,
                        100.0 * waits / profile.waitSamples(),
                        most.getKey().substring(LOCK.length())));
    }
}
