package io.pgstress.compare;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.result.HostResult;
import io.pgstress.result.Network;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling.HostCount;
import io.pgstress.result.Scaling.HostGain;
import io.pgstress.result.Scaling.HostSearch;
import io.pgstress.result.Scaling.HostStep;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.ServerProfile.HostProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result of a {@link HostClimb}. Immutable. */
public final class HostScaling {
    private static final double CONFIDENCE = 0.95;

    /** A wait is named if at least this share of the samples of active sessions had it. */
    private static final double OFTEN = 0.25;

    private final HostClimb.Climbed climbed;

    HostScaling(HostClimb.Climbed climbed) {
        this.climbed = climbed;
    }

    List<Measurement> measured() {
        return climbed.measured();
    }

    boolean isWhole() {
        return climbed.isWhole();
    }

    /** What ended it early; null if nothing failed. */
    public @Nullable RuntimeException failure() {
        return climbed.failure();
    }

    /** @param knee that of the climb on all hosts; null if undetermined */
    HostSearch search(@Nullable Point knee) {
        List<HostStep> steps = new ArrayList<>();
        List<HostCount> counts = new ArrayList<>();
        int all = climbed.levels().lastKey();
        climbed.levels().forEach((hosts, level) -> {
            level.stream()
                    .sorted(Comparator.comparingInt(m -> m.step().clients()))
                    .map(m -> step(hosts, m, pooled(hosts, m.step().clients())))
                    .forEach(steps::add);
            int fewest = hosts == all && knee != null ? knee.clients() : fewest(level);
            counts.add(new HostCount(hosts, fewest, HostClimb.best(level)));
        });
        return new HostSearch(climbed.seconds(), steps, counts, gains());
    }

    /** All measurements of this number of hosts and clients together. */
    private Point pooled(int hosts, int clients) {
        return ClimbEvaluation.pooled(
                clients,
                Stream.concat(
                                climbed.levels().getOrDefault(hosts, List.of()).stream(),
                                climbed.repeats().getOrDefault(hosts, List.of()).stream())
                        .map(Measurement::step)
                        .filter(s -> s.clients() == clients)
                        .toList());
    }

    private static int fewest(List<Measurement> level) {
        double best =
                level.stream().mapToDouble(m -> m.step().opsPerSecond()).max().orElse(0);
        return level.stream()
                .filter(m -> m.step().opsPerSecond() >= KneeTrial.NEAR * best)
                .mapToInt(m -> m.step().clients())
                .min()
                .orElse(0);
    }

    private List<HostGain> gains() {
        List<HostGain> gains = new ArrayList<>();
        List<Integer> counts = List.copyOf(climbed.levels().keySet());
        double confidence = 1 - (1 - CONFIDENCE) / Math.max(1, counts.size() - 1); // all of them together
        for (int i = 1; i < counts.size(); i++) {
            int from = counts.get(i - 1);
            int to = counts.get(i);
            double[] logs = climbed.rounds().stream()
                    .filter(r -> r.getOrDefault(from, 0.0) > 0 && r.getOrDefault(to, 0.0) > 0)
                    .mapToDouble(r -> Math.log(r.getOrDefault(to, 0.0) / r.getOrDefault(from, 0.0)))
                    .toArray();
            if (logs.length > 1) {
                Interval ratio = new Sample(logs).student(confidence).exp();
                gains.add(new HostGain(from, to, logs.length, ratio.value(), ratio.low(), ratio.high(), raises(ratio)));
            }
        }
        return gains;
    }

    private static @Nullable Boolean raises(Interval ratio) {
        if (ratio.high() < 1 / KneeTrial.NEAR) {
            return false;
        }
        return ratio.low() > 1 ? Boolean.TRUE : null;
    }

    private static HostStep step(int hosts, Measurement m, Point pooled) {
        RunResult run = m.result();
        HostResult busiest = run.hosts().stream()
                .filter(h -> h.client() != null)
                .max(Comparator.comparingDouble(HostScaling::cpuShare))
                .orElse(null);
        Network network = run.hosts().stream()
                .map(HostResult::network)
                .filter(Objects::nonNull)
                .max(Comparator.comparingDouble(n -> n.inMbitPerSecond() + n.outMbitPerSecond()))
                .orElse(run.load().network());
        return new HostStep(
                hosts,
                m.step().clients(),
                pooled.opsPerSecond(),
                pooled.p99Micros(),
                m.step().errors(),
                busiest == null ? null : busiest.name(),
                busiest == null ? null : Double.valueOf(cpuShare(busiest)),
                network.inMbitPerSecond(),
                network.outMbitPerSecond(),
                run.serverProfile().hosts().stream()
                        .map(HostProfile::cpuBusy)
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder())
                        .orElse(null),
                topWait(run.serverProfile().waitEvents()));
    }

    private static double cpuShare(HostResult host) {
        return host.client() == null || host.client().cpus() == 0
                ? 0
                : host.client().cpuCoresUsed() / host.client().cpus();
    }

    /** The most frequent wait of active sessions, other than for the client. */
    private static @Nullable String topWait(Map<String, Long> samples) {
        Map<String, Long> active = new HashMap<>();
        samples.forEach((wait, n) -> {
            if (wait.startsWith("active: ")) {
                active.merge(wait.substring("active: ".length()), n, Long::sum);
            }
        });
        long all = active.values().stream().mapToLong(Long::longValue).sum();
        return active.entrySet().stream()
                .filter(e -> e.getKey().contains("/") && !e.getKey().startsWith("Client/"))
                .filter(e -> e.getValue() >= OFTEN * all)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
