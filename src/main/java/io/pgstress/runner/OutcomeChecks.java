package io.pgstress.runner;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.OperationResult;
import io.pgstress.verdict.CommonSilence;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.SilentServers;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What became of the operations, and of the servers meanwhile. Not thread-safe. */
final class OutcomeChecks {
    private static final double FEW = 0.01;

    private final Validity validity;

    OutcomeChecks(Validity validity) {
        this.validity = validity;
    }

    void operations(RunSpec spec, Map<String, OperationResult> operations) {
        long ok = 0;
        long failed = 0;
        long ended = 0;
        for (Map.Entry<String, OperationResult> one : operations.entrySet()) {
            OperationResult o = one.getValue();
            ok += o.ok();
            failed += o.failed();
            ended += o.ok() + o.misses() + o.duplicates() + o.failed();
            if (o.ok() == 0 && o.failed() > 0 && operations.size() > 1) {
                validity.invalid("no %s succeeded: %,d failed", one.getKey(), o.failed());
            }
        }
        if (ok == 0) {
            validity.invalid("no operation succeeded");
        } else if (operations.values().stream().allMatch(o -> o.completed() == 0)) {
            validity.invalid("no operation ended within the measurement, so there is no rate: measure for longer");
        }
        failures(spec, operations.values(), ended, failed);
    }

    private void failures(RunSpec spec, Collection<OperationResult> operations, long ended, long failed) {
        if (failed == 0) {
            return;
        }
        double limit = spec.failures().maxErrorRate();
        double share = (double) failed / ended;
        String words = String.format(Locale.ROOT, "%,d of %,d operations failed (%.2f%%)", failed, ended, 100 * share);
        if (share > limit) {
            validity.invalid("%s, more than --max-error-rate %s; %s", words, Percent.text(limit), worst(operations));
        } else {
            validity.warn("%s; they are excluded from rates and times; %s", words, worst(operations));
        }
    }

    /** The error that was met most often. */
    private static String worst(Collection<OperationResult> operations) {
        return OperationMerge.of(operations).errors().entrySet().stream()
                .max(Comparator.comparingLong(e -> e.getValue().count()))
                .map(e -> String.format(
                        Locale.ROOT,
                        "most often %s: %s",
                        e.getKey(),
                        e.getValue().sample().replaceAll("\\R", " ")))
                .orElse("");
    }

    /** Operations that matched no row, or inserted none, are excluded from rates. */
    void emptyHanded(Map<String, OperationResult> operations) {
        operations.forEach((name, o) -> {
            long all = o.ok() + o.misses() + o.duplicates();
            if (o.misses() > FEW * all) {
                validity.warn(
                        "%.1f%% of %s matched no row; misses are excluded from rates", 100.0 * o.misses() / all, name);
            }
            if (o.duplicates() > FEW * all) {
                validity.warn(
                        "%.1f%% of %s met a duplicate key; duplicates are excluded from rates",
                        100.0 * o.duplicates() / all, name);
            }
        });
    }

    /** @param hung clients that still did what they had begun before the measurement */
    void unfinished(long unfinished, int hung) {
        if (unfinished > 0) {
            validity.warn("%,d operations had not ended at the end of the drain", unfinished);
        }
        if (hung > 0) {
            validity.invalid(
                    "%d clients took no part in the measurement: what they had begun before it had not ended at the end of"
                            + " the drain",
                    hung);
        }
    }

    /** What operations found in tables of their own. */
    void afterwards(List<PostRunCheck> found) {
        for (PostRunCheck one : found) {
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
        for (Silence silence : silences) {
            boolean isNamed = !silent.others().contains(silence);
            if (isNamed) {
                continue; // the reason is the outage's, whose time the checks know to some seconds only
            }
            if (SilentServers.isContradicted(silence)) {
                validity.warn("%s, though operations on it went on", silence.words());
            } else if (silence.to() > 0) {
                validity.invalid("%s", silence.words());
            } else {
                validity.warn("%s", silence.words());
            }
        }
        for (CommonSilence common : CommonSilence.of(silences, servers)) {
            validity.warn(
                    "all %d servers of the cluster were silent at once, at about %.0f s%s",
                    servers, (common.from() + common.to()) / 2, hint.isEmpty() ? "" : ": " + hint);
        }
    }
}
