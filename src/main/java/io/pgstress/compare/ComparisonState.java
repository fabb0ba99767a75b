package io.pgstress.compare;

import io.pgstress.result.Header;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a comparison after whole rounds. It is saved after each round, so that an interrupted comparison can be
 * resumed. Immutable.
 *
 * @param key identifies the comparison, see {@code SavedStates}
 * @param elapsedSeconds duration of its rounds so far
 * @param tallies totals by variant
 * @param told warnings of blocks
 * @param reasons why blocks were not valid. {@link BlockSteadiness} judges all blocks of a variant together
 * @param head the result of the first variant's first block without its figures, for facts that do not change, with the
 *     servers of all variants; null before the first round
 */
public record ComparisonState(
        String key,
        double elapsedSeconds,
        List<MeasuredBlock> blocks,
        Map<String, VariantTotals> tallies,
        RepeatedRemarks told,
        RepeatedRemarks reasons,
        boolean valid,
        List<RunResult> head) {

    /** A state without any rounds. */
    public static ComparisonState none(String key) {
        return new ComparisonState(
                key, 0, List.of(), Map.of(), RepeatedRemarks.NONE, RepeatedRemarks.NONE, true, List.of());
    }

    /** The totals of a variant's blocks so far. */
    VariantTotals totals(String variant) {
        return tallies.getOrDefault(variant, VariantTotals.NONE);
    }

    /** Number of complete rounds. */
    public int rounds() {
        return blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).round() + 1;
    }

    /** The highest number of a database cluster; 0: the variants share servers. */
    int clusters() {
        return blocks.stream().mapToInt(MeasuredBlock::cluster).max().orElse(0);
    }

    /**
     * This state plus one round.
     *
     * @param results the round's results by variant, in the variants' order
     */
    ComparisonState plus(List<MeasuredBlock> round, Map<String, RunResult> results, double seconds) {
        List<MeasuredBlock> all = new ArrayList<>(blocks);
        all.addAll(round);
        Map<String, VariantTotals> sums = new LinkedHashMap<>(tallies);
        RepeatedRemarks warnings = told;
        RepeatedRemarks invalid = reasons;
        boolean good = valid;
        for (MeasuredBlock block : round) {
            RunResult result = results.get(block.variant());
            if (result == null) {
                throw new IllegalArgumentException("no result of " + block.variant());
            }
            sums.put(block.variant(), totals(block.variant()).plus(result, block.seconds()));
            List<Remark> ofBlock = new ArrayList<>(result.warnings());
            List<Remark> reasonsOfBlock = new ArrayList<>();
            for (Remark reason : result.reasons()) {
                if (reason.code() == RemarkCode.NOT_STEADY) {
                    ofBlock.add(BlockSteadiness.ofOne(reason));
                } else {
                    reasonsOfBlock.add(reason);
                }
            }
            if (BlockRate.isOfFew(result, result.total())) {
                ofBlock.removeIf(remark -> remark.code() == RemarkCode.SHORT_WINDOW); // the rate does not depend on it
                ofBlock.add(RemarkCode.FEW_OPERATIONS_PER_BLOCK.remark());
            }
            warnings = warnings.plus(ofBlock);
            invalid = invalid.plus(reasonsOfBlock);
            good &= reasonsOfBlock.isEmpty();
        }
        return new ComparisonState(
                key,
                elapsedSeconds + seconds,
                List.copyOf(all),
                sums,
                warnings,
                invalid,
                good,
                List.of(head(results.values())));
    }

    /** The first variant's result, with the start time of the first round. */
    private RunResult head(Collection<RunResult> results) {
        RunResult now = results.iterator().next();
        Header header = now.header().with(servers(results));
        return now.withIntervals(List.of())
                .with(
                        head.isEmpty()
                                ? header
                                : header.with(
                                        header.run().startedAt(head.get(0).run().startedAt())));
    }

    private static List<ServerInfo> servers(Collection<RunResult> results) {
        Map<String, ServerInfo> byUrl = new LinkedHashMap<>();
        results.forEach(r -> r.servers().forEach(s -> byUrl.putIfAbsent(s.url(), s)));
        return List.copyOf(byUrl.values());
    }
}
