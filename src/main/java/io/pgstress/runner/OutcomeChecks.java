package io.pgstress.runner;

import io.pgstress.operation.Afterwards;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.OperationResult;
import io.pgstress.verdict.CommonSilence;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.SilentServers;
import java.util.List;
import java.util.Map;

/** What became of the operations, and of the servers meanwhile. Not thread-safe. */
final class OutcomeChecks {
    private static final double FEW_FAILED = 0.01;

    private final Validity validity;

    OutcomeChecks(Validity validity) {
        this.validity = validity;
    }

    void operations(RunSpec spec, Map<String, OperationResult> operations) {
        long ok = 0;
        long failed = 0;
        for (Map.Entry<String, OperationResult> one : operations.entrySet()) {
            OperationResult o = one.getValue();
            ok += o.ok();
            failed += o.failed();
            if (o.ok() == 0 && o.failed() > 0 && operations.size() > 1) {
                validity.invalid("no %s succeeded: %,d failed", one.getKey(), o.failed());
            }
        }
        double limit = spec.failures().maxErrorRate();
        double share = failed == 0 ? 0 : (double) failed / (ok + failed);
        if (share > limit) {
            validity.invalid(
                    "%.2f%% of the operations failed, more than the limit of %.2f%%", 100 * share, 100 * limit);
        } else if (share > FEW_FAILED) {
            validity.warn("%.2f%% of the operations failed: rates and times are those of the others", 100 * share);
        }
        if (ok == 0) {
            validity.invalid("no operation succeeded");
        }
    }

    /** Operations that found or inserted nothing are in no rate. */
    void emptyHanded(Map<String, OperationResult> operations) {
        operations.forEach((name, o) -> {
            long all = o.ok() + o.misses() + o.duplicates();
            if (o.misses() > FEW_FAILED * all) {
                validity.warn("%.1f%% of %s found nothing: they are in no rate", 100.0 * o.misses() / all, name);
            }
            if (o.duplicates() > FEW_FAILED * all) {
                validity.warn("%.1f%% of %s met a duplicate: they are in no rate", 100.0 * o.duplicates() / all, name);
            }
        });
    }

    /** @param hung clients that still did what they had begun before the measurement */
    void unfinished(long unfinished, int hung) {
        if (unfinished > 0) {
            validity.warn("%d operations had not ended at the end of the drain", unfinished);
        }
        if (hung > 0) {
            validity.invalid(
                    "%d clients took no part in the measurement: what they had begun before it had not ended at the end of"
                            + " the drain",
                    hung);
        }
    }

    /** What operations found in tables of their own. */
    void afterwards(List<Afterwards> found) {
        for (Afterwards one : found) {
            if (!one.holds()) {
                validity.invalid("%s", one.text());
            }
        }
    }

    /**
     * Servers that did not answer their checks while no outage names them, and all of them at once.
     *
     * @param servers how many the cluster has
     * @param hint what to look at where all are silent at once; empty: nothing in particular
     */
    void nodes(List<Silence> silences, SilentServers silent, int servers, String hint) {
        silent.others()
                .forEach(s -> validity.warn(
                        "%s%s", s.words(), SilentServers.isContradicted(s) ? ", though operations on it went on" : ""));
        for (CommonSilence common : CommonSilence.of(silences, servers)) {
            validity.warn(
                    "all %d servers of the cluster were silent at once, at about %.0f s%s",
                    servers, (common.from() + common.to()) / 2, hint.isEmpty() ? "" : ": " + hint);
        }
    }
}
