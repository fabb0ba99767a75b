package io.pgstress.compare;

import io.pgstress.compare.statistics.StoppingRule;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the variants of a workload in rounds until the result is precise enough. Belongs to one thread. */
public final class Comparer {
    private final Scenario scenario;
    private final Workload workload;
    private final BlockRunner blocks;
    private final CompareListener listener;
    private final LongSupplier nanoTime;
    private final Evaluation evaluation;
    private final BlockOrder order;
    private ComparisonState begun = ComparisonState.none("");

    /**
     * @param earlier the result to compare with instead of a variant; null: the scenario's baseline
     * @param nanoTime the clock
     */
    public Comparer(
            Scenario scenario,
            Workload workload,
            BlockRunner blocks,
            CompareListener listener,
            @Nullable EarlierResult earlier,
            LongSupplier nanoTime) {
        this.scenario = scenario;
        this.workload = workload;
        this.blocks = blocks;
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.evaluation = new Evaluation(scenario, workload, earlier);
        this.order =
                new BlockOrder(workload.variants().size(), scenario.effort().seed());
    }

    /** The measured state, and how the comparison ended. */
    public record Ended(
            ComparisonState state,
            boolean isWhole,
            @Nullable RuntimeException failure) {}

    /**
     * Continues from a state until the comparison is complete, its time is over, or a block fails or is interrupted. The database
     * clusters of the variants are further ones then.
     */
    public Ended run(ComparisonState from) {
        begun = from;
        ComparisonState state = from;
        try {
            if (!isDone(state)) {
                settle();
            }
            while (!isDone(state)) {
                state = round(state);
                ComparisonState now = state;
                listener.round(now, () -> evaluation.effects(now));
            }
            return new Ended(state, true, null);
        } catch (InterruptedException e) {
            return new Ended(state, false, null);
        } catch (RuntimeException e) {
            return new Ended(state, false, e);
        }
    }

    /**
     * The result; requires at least one round.
     *
     * @param argv the command line, with secrets masked
     */
    public Comparison comparison(Ended ended, List<String> argv) {
        return evaluation.of(ended.state(), !ended.isWhole(), argv);
    }

    private boolean isDone(ComparisonState state) {
        Effort effort = scenario.effort();
        int rounds = state.rounds();
        if (rounds >= effort.rounds()) {
            return true;
        }
        boolean timeIsOver = rounds > 0
                && state.elapsedSeconds() * (rounds + 1) / rounds
                        > effort.maxTime().toNanos() / 1e9;
        boolean isLook = effort.isUntil() && StoppingRule.isLook(rounds);
        return timeIsOver || (isLook && (evaluation.isEnough(state) || evaluation.isOutOfReach(state)));
    }

    /** Runs one block of each variant that is discarded: the server's caches and this JVM are cold. */
    private void settle() throws InterruptedException {
        int clusters = scenario.effort().clusters();
        for (int cluster = 1; cluster <= Math.max(1, clusters); cluster++) {
            for (Variant variant : workload.variants()) {
                listener.settling(clusters > 1 ? variant.name() + ", cluster " + cluster : variant.name());
                blocks.run(variant, cluster);
            }
        }
    }

    private ComparisonState round(ComparisonState state) throws InterruptedException {
        int round = state.rounds();
        long start = nanoTime.getAsLong();
        List<MeasuredBlock> measured = new ArrayList<>();
        List<String> names = workload.variants().stream().map(Variant::name).toList();
        Map<String, RunResult> results = new TreeMap<>(Comparator.comparing(names::indexOf));
        for (int number : order.round(round)) {
            Variant variant = workload.variants().get(number);
            double at = state.elapsedSeconds() + (nanoTime.getAsLong() - start) / 1e9;
            int cluster = cluster(variant, round);
            RunResult result = blocks.run(variant, Math.max(1, cluster));
            measured.add(
                    MeasuredBlock.of(round, variant.name(), cluster == 0 ? 0 : begun.clusters() + cluster, at, result));
            results.put(variant.name(), result);
        }
        return state.plus(measured, results, (nanoTime.getAsLong() - start) / 1e9);
    }

    /** The number of the variant's database cluster in this round; 0: the variants share servers. */
    private int cluster(Variant variant, int round) {
        int clusters = scenario.effort().clusters();
        boolean isOfBaseline =
                variant.spec().server().equals(workload.variants().get(0).spec().server());
        return clusters == 0 ? 0 : BlockOrder.cluster(round - begun.rounds(), clusters, isOfBaseline);
    }

    /** Runs the blocks of a comparison. Belongs to the comparison's thread. */
    public interface BlockRunner {
        /**
         * Runs one block: reset, warm-up, measurement.
         *
         * @param cluster the number of the variant's database cluster, from 1
         * @throws InterruptedException if the comparison is to end; the block does not count
         */
        RunResult run(Variant variant, int cluster) throws InterruptedException;
    }

    /** Receives the progress of a comparison, on the comparison's own thread. */
    public interface CompareListener {
        /** A block begins whose result is discarded: caches and this JVM are still cold. */
        default void settling(String variant) {}

        /** A round has ended, with the effects so far. */
        default void round(ComparisonState state, Supplier<List<Effect>> soFar) {}
    }
}
