package io.pgstress.verdict;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The findings of the checks, in order. Not thread-safe. */
final class Remarks {
    private final List<Remark> reasons = new ArrayList<>();
    private final List<Remark> warnings = new ArrayList<>();

    void add(Remark remark) {
        (remark.severity() == Severity.NOT_VALID ? reasons : warnings).add(remark);
    }

    /** The reasons followed by the warnings. */
    List<Remark> all() {
        return Stream.concat(reasons.stream(), warnings.stream()).toList();
    }

    List<Remark> reasons() {
        return reasons;
    }

    List<Remark> warnings() {
        return warnings;
    }
}
