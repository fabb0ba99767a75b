package io.pgstress.compare;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Remarks on many blocks or steps, those of one code combined. Immutable.
 *
 * @param each the remark of each code, {@linkplain Remark#or about all that had it}
 * @param counts the number of blocks that had each, in the same order
 */
public record RepeatedRemarks(List<Remark> each, List<Integer> counts) {
    public static final RepeatedRemarks NONE = new RepeatedRemarks(List.of(), List.of());

    /** Normal for a short block. */
    private static final Set<RemarkCode> NORMAL = EnumSet.of(RemarkCode.FEW_INTERVALS);

    /**
     * The remarks on the steps of a search, each code once.
     *
     * @param expected those that say nothing about a step of this search
     * @param unit what the search calls a step
     */
    static List<Remark> ofSteps(
            List<RunResult> steps, Function<RunResult, List<Remark>> kind, Set<RemarkCode> expected, String unit) {
        RepeatedRemarks told = NONE;
        for (RunResult step : steps) {
            told = told.plus(kind.apply(step).stream()
                    .filter(r -> !expected.contains(r.code()))
                    .toList());
        }
        return told.remarks(steps.size(), unit);
    }

    /** These, and the remarks on one block, which counts once for each code. */
    public RepeatedRemarks plus(Collection<Remark> remarks) {
        List<Remark> known = new ArrayList<>(each);
        List<Integer> times = new ArrayList<>(counts);
        Set<RemarkCode> seen = EnumSet.noneOf(RemarkCode.class);
        for (Remark remark : remarks) {
            if (NORMAL.contains(remark.code())) {
                continue;
            }
            boolean isFirst = seen.add(remark.code());
            int at = known.stream().map(Remark::code).toList().indexOf(remark.code());
            if (at < 0) {
                known.add(remark);
                times.add(1);
            } else {
                known.set(at, known.get(at).or(remark));
                times.set(at, times.get(at) + (isFirst ? 1 : 0));
            }
        }
        return new RepeatedRemarks(known, times);
    }

    /**
     * One remark of each code.
     *
     * @param number how many blocks there were
     * @param unit the unit that was measured, such as {@code blocks}
     */
    public List<Remark> remarks(int number, String unit) {
        List<Remark> remarks = new ArrayList<>();
        for (int n = 0; n < each.size(); n++) {
            remarks.add(each.get(n).repeated(counts.get(n), number, unit));
        }
        return remarks;
    }
}
