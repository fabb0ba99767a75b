package io.pgstress.result;

import io.pgstress.result.RemarkCode.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Whether the figures of a result may be used.
 *
 * @param valid whether they may be used
 * @param reasons why they may not, the most serious first; empty if they may
 * @param warnings what readers of the figures should know, the most harmful first
 */
public record Validity(boolean valid, List<Remark> reasons, List<Remark> warnings) {
    /** The validity of a result that nobody has judged yet. */
    public static final Validity NONE = new Validity(true, List.of(), List.of());

    public Validity {
        require(Severity.NOT_VALID, reasons);
        require(Severity.WARNING, warnings);
        reasons = List.copyOf(reasons);
        warnings = warnings.stream()
                .sorted(Comparator.comparing(warning -> warning.code().harm()))
                .toList();
    }

    /**
     * The validity by its reasons and warnings. What the user accepted is no reason, but a warning.
     *
     * @param accepted the codes of the reasons that only warn
     */
    public static Validity of(List<Remark> reasons, List<Remark> warnings, Collection<RemarkCode> accepted) {
        List<Remark> binding = new ArrayList<>();
        List<Remark> all = new ArrayList<>();
        for (Remark reason : reasons) {
            boolean isAccepted = accepted.contains(reason.code());
            (isAccepted ? all : binding).add(isAccepted ? reason.accepted() : reason);
        }
        all.addAll(warnings);
        return new Validity(binding.isEmpty(), binding, all);
    }

    /** A remark says itself what it does to the validity, and reports repeat it: no list may say otherwise. */
    private static void require(Severity severity, List<Remark> remarks) {
        remarks.stream()
                .filter(remark -> remark.severity() != severity)
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException(
                            other.code() + " is of severity " + other.severity() + ", not " + severity);
                });
    }
}
