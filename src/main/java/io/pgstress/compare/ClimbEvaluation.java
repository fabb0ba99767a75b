package io.pgstress.compare;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.UslFit;
import io.pgstress.result.Latency;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Fit;
import io.pgstress.result.Scaling.KneeSearch;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Ratio;
import io.pgstress.result.Scaling.Repeat;
import io.pgstress.result.Scaling.Step;
import io.pgstress.result.Sum;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the {@link Scaling} from the measurements of a climb. Immutable. */
public final class ClimbEvaluation {
    private final Climbed climbed;
    private final List<String> argv;
    private final List<Step> steps;
    private final @Nullable KneeSearch search;
    private final List<Measurement> all;

    private ClimbEvaluation(Climbed climbed, List<String> argv) {
        this.climbed = climbed;
        this.all = new ArrayList<>(climbed.all());
        this.argv = argv;
        this.steps = climbed.steps().stream()
                .map(Measurement::step)
                .sorted(Comparator.comparingInt(Step::clients))
                .toList();
        this.search = evidence(climbed);
    }

    /** The result of the climb. */
    public static Scaling of(Climbed climbed, List<String> argv) {
        return new ClimbEvaluation(climbed, argv).scaling();
    }

    private Scaling scaling() {
        RunResult head = climbed.steps().get(climbed.steps().size() - 1).result();
        Workload workload = head.run().workload();
        KneeText words = new KneeText(climbed, search, knee(), peak());
        List<Remark> warnings = new ArrayList<>(words.warnings());
        warnings.addAll(told(Result::warnings));
        Fit fit = fit();
        return new Scaling(
                head.header()
                        .with(head.run()
                                .ofSearch(
                                        climbed.steps().get(0).result().run(),
                                        argv,
                                        "clients",
                                        workload.with(0, workload.rates()),
                                        !climbed.isWhole())),
                Scaling.KIND,
                steps,
                fit,
                knee(),
                peak(),
                search,
                words.verdict(fit),
                new Validity(
                        search != null && all.stream().allMatch(m -> m.result().valid()),
                        told(Result::reasons),
                        warnings));
    }

    /** The remarks on the steps' results, each kind once. Steps end early on purpose. */
    private List<Remark> told(Function<RunResult, List<Remark>> remarks) {
        return RepeatedRemarks.ofSteps(
                all.stream().map(Measurement::result).toList(),
                remarks,
                EnumSet.of(RemarkCode.ENDED_EARLY, RemarkCode.STOPPED_EARLY),
                "steps");
    }

    private @Nullable Fit fit() {
        double[] clients = steps.stream().mapToDouble(Step::clients).toArray();
        double[] ops = steps.stream().mapToDouble(Step::opsPerSecond).toArray();
        return UslFit.of(clients, ops, 0.95)
                .map(c -> new Fit(coefficient(c.lambda()), coefficient(c.sigma()), coefficient(c.kappa())))
                .orElse(null);
    }

    private static Coefficient coefficient(Interval i) {
        return new Coefficient(i.value(), i.low(), i.high());
    }

    /** Pools all measurements with this number of clients, including repetitions. */
    private Point point(int clients) {
        return pooled(
                clients,
                climbed.all().stream()
                        .map(Measurement::step)
                        .filter(s -> s.clients() == clients)
                        .toList());
    }

    static Point pooled(int clients, List<Step> measured) {
        Latency latency = Sum.latency(measured.stream().map(Step::latencyMicros));
        double seconds = measured.stream().mapToDouble(Step::seconds).sum();
        return new Point(
                clients,
                measured.stream()
                                .mapToDouble(s -> s.opsPerSecond() * s.seconds())
                                .sum()
                        / seconds,
                latency == null ? highestP99(measured) : latency.p99());
    }

    private static double highestP99(List<Step> steps) {
        return steps.stream().mapToDouble(s -> s.latencyMicros().p99()).max().orElse(0);
    }

    private @Nullable Point peak() {
        return search == null ? null : point(search.bestClients());
    }

    /** The knee: the number of clients for which fewer are known not to be enough; null if there is none. */
    private @Nullable Point knee() {
        Integer to = search == null ? null : search.toClients();
        return to == null || search == null || to != search.fromClients() ? null : point(to);
    }

    /** The evidence for the knee; null if no operation succeeded. */
    private static @Nullable KneeSearch evidence(Climbed climbed) {
        KneeTrial trial = climbed.trial();
        if (trial == null) {
            return null;
        }
        boolean stillRose = trial.from() == trial.to()
                && trial.to() == numbers(climbed).max().orElse(0);
        OptionalDouble more = trial.isDecided() ? OptionalDouble.empty() : trial.roundsToDecide();
        return new KneeSearch(
                trial.best(),
                KneeTrial.NEAR,
                KneeTrial.CONFIDENCE,
                trial.from(),
                stillRose ? null : Integer.valueOf(trial.to()),
                climbed.repeats().seconds(),
                more.isEmpty() ? null : more.getAsDouble() * climbed.repeats().secondsOfRound(),
                numbers(climbed)
                        .distinct()
                        .sorted()
                        .boxed()
                        .flatMap(clients -> ratio(clients, trial))
                        .toList(),
                climbed.repeats().measured().stream().map(m -> repeat(m.step())).toList());
    }

    private static IntStream numbers(Climbed climbed) {
        return climbed.steps().stream().map(Measurement::step).mapToInt(Step::clients);
    }

    private static Stream<Ratio> ratio(int clients, KneeTrial trial) {
        return Stream.ofNullable(trial.ratio(clients))
                .map(ratio -> new Ratio(
                        clients,
                        trial.rounds(clients),
                        ratio.value(),
                        ratio.low(),
                        ratio.high(),
                        trial.isEnough(clients)));
    }

    private static Repeat repeat(Step step) {
        return new Repeat(
                step.clients(),
                step.seconds(),
                step.opsPerSecond(),
                step.latencyMicros().p99(),
                step.errors());
    }

    /** The result of a climb as sentences. Immutable. */
    static final class KneeText {
        private static final double SECONDS_OF_DAY = 86_400;

        private final Climbed climbed;
        private final @Nullable KneeSearch search;
        private final @Nullable Point knee;
        private final @Nullable Point peak;

        /** @param search null if no operation succeeded */
        KneeText(Climbed climbed, @Nullable KneeSearch search, @Nullable Point knee, @Nullable Point peak) {
            this.climbed = climbed;
            this.search = search;
            this.knee = knee;
            this.peak = peak;
        }

        List<String> verdict(@Nullable Fit fit) {
            List<String> words = new ArrayList<>();
            if (search == null || peak == null) {
                words.add("No operation succeeded, so the number of clients cannot be judged.");
            } else {
                words.addAll(knee(search, peak));
                words.add(curve(fit));
            }
            if (!climbed.isWhole() && (search == null || knee != null)) { // otherwise it is the reason for that
                words.add("The climb " + end() + " after " + steps() + ".");
            }
            words.removeIf(String::isEmpty);
            return words;
        }

        private String end() {
            return climbed.failure() == null ? "was interrupted" : "failed";
        }

        private String steps() {
            return Counted.of(climbed.all().size(), "step");
        }

        List<Remark> warnings() {
            if (search != null && knee == null && !climbed.isWhole()) {
                return climbed.failure() != null
                        ? List.of() // the reason for which the result is not valid
                        : List.of(RemarkCode.CLIMB_ENDED_EARLY
                                .with("end", end())
                                .with("steps", climbed.all().size())
                                .remark());
            }
            return search == null || knee != null
                    ? List.of()
                    : List.of(
                            (search.toClients() == null ? RemarkCode.KNEE_NOT_REACHED : RemarkCode.KNEE_NOT_DETERMINED)
                                    .remark());
        }

        private List<String> knee(KneeSearch found, Point best) {
            List<String> words = new ArrayList<>();
            String why = climbed.isWhole() ? "" : ", because the climb " + end() + " after " + steps();
            if (knee != null) {
                words.add(Rounded.format(
                        "%s enough: %,.0f operations per second with a p99 of %.2f ms.",
                        clients(knee.clients(), "is", "are"), knee.opsPerSecond(), knee.p99Micros() / 1e3));
            } else if (found.toClients() == null) {
                words.add(
                        found.bestClients() == 1
                                ? "The knee was not reached" + why + ": only 1 client was measured."
                                : "The knee was not reached" + why + ": throughput still rose at "
                                        + clients(best.clients(), "", "") + ", the highest number measured.");
            } else {
                words.add("Knee not determined" + why + ": between " + found.fromClients() + " and "
                        + clients(found.toClients(), "", "") + "; " + more(found) + ".");
            }
            found.ratios().stream()
                    .filter(r -> isReported(found, r.clients()))
                    .map(r -> ratio(r, best))
                    .forEach(words::add);
            return words;
        }

        /** Among the steps with too few clients, only the nearest is worth reporting. */
        private static boolean isReported(KneeSearch found, int clients) {
            int notEnough = found.ratios().stream()
                    .filter(r -> Boolean.FALSE.equals(r.enough()) && r.clients() < found.fromClients())
                    .mapToInt(Ratio::clients)
                    .max()
                    .orElse(0);
            return clients >= notEnough;
        }

        private static String ratio(Ratio r, Point best) {
            String range = Rounded.format(
                    "%.1f%% to %.1f%% of the throughput of %s in %d rounds",
                    r.low() * 100, r.high() * 100, clients(best.clients(), "", ""), r.rounds());
            if (Boolean.FALSE.equals(r.enough()) && r.clients() < best.clients()) {
                return clients(r.clients(), "is", "are") + " not enough: " + range + ".";
            }
            return clients(r.clients(), "reaches", "reach") + " " + range
                    + (r.enough() == null ? ", and 97% would be enough." : ".");
        }

        private static String more(KneeSearch found) {
            Double seconds = found.secondsToDecide();
            if (seconds == null) {
                return found.repeats().isEmpty()
                        ? "no step was measured again (--repeat-limit)"
                        : "too few rounds were measured to say how many more would settle it (--repeat-limit)";
            }
            if (seconds > SECONDS_OF_DAY) {
                return "the steps vary too much to settle it in a reasonable time";
            }
            return "about " + VerdictText.duration(seconds) + " more would settle it (--repeat-limit "
                    + (long) Math.ceil((found.seconds() + seconds) / 60) + "m)";
        }

        private static String curve(@Nullable Fit fit) {
            if (fit == null) {
                return "No curve of the Universal Scalability Law fits the steps.";
            }
            return fit.sigma().value() < 1
                    ? ""
                    : "The fitted contention is at its limit, 1: more clients add no throughput, and the curve describes"
                            + " the steps poorly.";
        }

        private static String clients(int number, String is, String are) {
            String verb = number == 1 ? is : are;
            return number + (number == 1 ? " client" : " clients") + (verb.isEmpty() ? "" : " " + verb);
        }
    }
}
