package io.pgstress.compare;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.UslFit;
import io.pgstress.result.Latency;
import io.pgstress.result.Parts;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Fit;
import io.pgstress.result.Scaling.HostSearch;
import io.pgstress.result.Scaling.KneeSearch;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Step;
import io.pgstress.result.Validity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Computes the {@link Scaling} from the measurements of a climb. Immutable. */
public final class ClimbEvaluation {
    private final Climbed climbed;
    private final List<String> argv;
    private final List<Step> steps;
    private final double limitMicros;
    private final @Nullable KneeSearch search;
    private final @Nullable HostScaling hosts;
    private final List<Measurement> all;

    private ClimbEvaluation(Climbed climbed, @Nullable HostScaling hosts, double limitMicros, List<String> argv) {
        this.climbed = climbed;
        this.hosts = hosts;
        this.all = new ArrayList<>(climbed.all());
        if (hosts != null) {
            all.addAll(hosts.measured());
        }
        this.argv = argv;
        this.steps = climbed.steps().stream()
                .map(Measurement::step)
                .sorted(Comparator.comparingInt(Step::clients))
                .toList();
        this.limitMicros = limitMicros;
        this.search = KneeEvidence.of(climbed);
    }

    /**
     * The result of the climb.
     *
     * @param limitMicros limit for p99 in microseconds; 0: none
     * @param argv the command line, with secrets masked
     */
    public static Scaling of(Climbed climbed, double limitMicros, List<String> argv) {
        return of(climbed, null, limitMicros, argv);
    }

    /**
     * The result of the climb, and of that of the number of hosts.
     *
     * @param hosts null for a search on one host
     */
    public static Scaling of(Climbed climbed, @Nullable HostScaling hosts, double limitMicros, List<String> argv) {
        return new ClimbEvaluation(climbed, hosts, limitMicros, argv).scaling();
    }

    private Scaling scaling() {
        RunResult head = climbed.steps().get(climbed.steps().size() - 1).result();
        KneeText words = new KneeText(search, knee(), peak());
        List<Remark> warnings = new ArrayList<>(words.warnings());
        warnings.addAll(told(Result::warnings));
        Fit fit = fit();
        HostSearch ofHosts = hosts == null ? null : hosts.search(knee());
        return new Scaling(
                head.header().with(run(head.run())),
                Scaling.KIND,
                steps,
                fit,
                knee(),
                peak(),
                withinLimit(),
                limitMicros == 0 ? null : limitMicros,
                search,
                ofHosts,
                verdict(words.verdict(climbed, limitMicros, withinLimit(), fit), ofHosts),
                new Validity(
                        search != null && all.stream().allMatch(m -> m.result().valid()),
                        told(Result::reasons),
                        warnings));
    }

    private List<String> verdict(List<String> ofClients, @Nullable HostSearch ofHosts) {
        List<String> words = new ArrayList<>();
        if (ofHosts != null && hosts != null) {
            words.addAll(new HostText(ofHosts).sentences());
            if (!hosts.isWhole()) {
                words.add("The search for the number of hosts "
                        + (hosts.failure() == null ? "was interrupted." : "failed."));
            }
        }
        words.addAll(ofClients);
        return words;
    }

    private RunInfo run(RunInfo last) {
        Map<String, Object> scenario = new LinkedHashMap<>(last.scenario());
        scenario.remove("threads"); // differs between steps
        return new RunInfo(
                last.id(),
                climbed.steps().get(0).result().run().startedAt(),
                argv,
                last.seed(),
                scenario,
                last.workload().with(0, last.workload().rates()),
                List.of(),
                !climbed.isWhole() || (hosts != null && !hosts.isWhole()),
                null,
                last.insecure());
    }

    /** The remarks on the steps' results, each kind once. Steps end early on purpose. */
    private List<Remark> told(Function<RunResult, List<Remark>> remarks) {
        RepeatedRemarks told = RepeatedRemarks.NONE;
        for (Measurement m : all) {
            told = told.plus(remarks.apply(m.result()).stream()
                    .filter(r -> r.code() != RemarkCode.ENDED_EARLY && r.code() != RemarkCode.STOPPED_EARLY)
                    .toList());
        }
        return told.remarks(all.size(), "steps");
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
        Parts<Step> parts = new Parts<>(measured);
        Latency latency = parts.latency(Step::latencyMicros);
        return new Point(
                clients,
                parts.rate(s -> s.opsPerSecond() * s.seconds()) / parts.rate(Step::seconds),
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

    private @Nullable Point withinLimit() {
        return limitMicros == 0 || search == null
                ? null
                : steps.stream()
                        .map(Step::clients)
                        .distinct()
                        .map(this::point)
                        .filter(p -> p.opsPerSecond() > 0 && p.p99Micros() <= limitMicros)
                        .max(Comparator.comparingDouble(Point::opsPerSecond))
                        .orElse(null);
    }
}
