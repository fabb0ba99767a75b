package io.pgstress.compare;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.result.Scaling.KneeSearch;
import io.pgstress.result.Scaling.Ratio;
import io.pgstress.result.Scaling.Repeat;
import io.pgstress.result.Scaling.Step;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the {@link KneeSearch} from the repeated steps. */
final class KneeEvidence {
    private KneeEvidence() {}

    /** The evidence for the knee; null if no operation succeeded. */
    static @Nullable KneeSearch of(Climbed climbed) {
        KneeTrial trial = climbed.trial();
        return trial == null ? null : of(climbed, trial);
    }

    private static KneeSearch of(Climbed climbed, KneeTrial trial) {
        boolean stillRose =
                trial.isDecided() && trial.to() == numbers(climbed).max().orElse(0);
        OptionalDouble more = trial.isDecided() ? OptionalDouble.empty() : trial.roundsToDecide();
        return new KneeSearch(
                trial.best(),
                KneeTrial.NEAR,
                KneeTrial.CONFIDENCE,
                trial.from(),
                stillRose ? null : Integer.valueOf(trial.to()),
                climbed.repeats().seconds(),
                more.isEmpty() ? null : more.getAsDouble() * climbed.repeats().secondsOfRound(),
                ratios(climbed, trial),
                climbed.repeats().measured().stream().map(m -> repeat(m.step())).toList());
    }

    private static IntStream numbers(Climbed climbed) {
        return climbed.steps().stream().map(Measurement::step).mapToInt(Step::clients);
    }

    private static List<Ratio> ratios(Climbed climbed, KneeTrial trial) {
        return numbers(climbed)
                .distinct()
                .sorted()
                .filter(n -> trial.ratio(n) != null)
                .mapToObj(n -> ratio(n, trial))
                .toList();
    }

    private static Ratio ratio(int clients, KneeTrial trial) {
        Interval ratio = trial.ratio(clients);
        if (ratio == null) {
            throw new IllegalArgumentException(clients + " clients were not measured again");
        }
        return new Ratio(
                clients, trial.rounds(clients), ratio.value(), ratio.low(), ratio.high(), trial.isEnough(clients));
    }

    private static Repeat repeat(Step step) {
        return new Repeat(
                step.clients(),
                step.seconds(),
                step.opsPerSecond(),
                step.latencyMicros().p99(),
                step.errors());
    }
}
