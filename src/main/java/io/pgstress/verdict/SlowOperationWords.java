package io.pgstress.verdict;

import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Rounded;
import io.pgstress.verdict.SlowOperations.Hit;
import io.pgstress.verdict.SlowOperations.Sampled;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What operations spent their time on, as figures of remarks that are texts. */
final class SlowOperationWords {
    private static final int MAX_NAMED = 3;
    private static final double MIN_NAMED = 0.05;
    private static final int MAX_PERIODS = 3;

    private SlowOperationWords() {}

    /** The largest shares of ordinary operations with their intervals. */
    static String ofUsual(Sampled usual) {
        return usual.isSampled() ? named(usual, null, cause -> "") : "too little time to be sampled";
    }

    /** The largest shares of slow operations with their intervals, the cause first, with its parts, blockers, and what else the server did. */
    static String ofSlow(Sampled slow, Activity first, Sampled usual) {
        return named(slow, first, cause -> details(cause, slow, usual));
    }

    private static String named(Sampled sampled, @Nullable Activity first, Function<Activity, String> details) {
        return sampled.causes().entrySet().stream()
                .filter(e -> e.getValue().share() >= MIN_NAMED)
                .sorted(Comparator.comparing(e -> !e.getKey().equals(first))) // stable
                .limit(MAX_NAMED)
                .map(e -> percent(e.getValue()) + " " + e.getKey().words() + details.apply(e.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String percent(Share share) {
        return Rounded.percent(share.share(), 0)
                + Rounded.format(" [%.0f, %.0f]", 100 * share.low(), 100 * share.high());
    }

    private static String details(Activity cause, Sampled slow, Sampled usual) {
        List<Hit> own =
                slow.hits().stream().filter(hit -> hit.cause().equals(cause)).toList();
        String details = Stream.of(
                        cause.matter() == null ? "" : events(own),
                        blockers(own),
                        cause.code() == RemarkCode.SLOW_ON_IO ? disturbance(own, usual) : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return details.isEmpty() ? "" : " (" + details + ")";
    }

    /** The events of a cause, the most frequent first. */
    private static String events(List<Hit> own) {
        return own.stream()
                .collect(Collectors.groupingBy(Hit::waits, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MAX_NAMED)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    private static String blockers(List<Hit> own) {
        List<String> names = own.stream()
                .filter(hit -> Activity.isLock(hit.waits()))
                .flatMap(hit -> Stream.ofNullable(hit.blocker()))
                .map(Blocker::words)
                .toList();
        return names.stream()
                .collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(most ->
                        "blocked by " + most.getKey() + " in " + most.getValue() + " of " + names.size() + " samples")
                .orElse("");
    }

    /**
     * What else the server did in many samples of a wait for the disk, and rarely in ordinary operations. A single event, such as one long stall
     * in a checkpoint, has no interval of its own.
     */
    private static String disturbance(List<Hit> own, Sampled usual) {
        double least = SlowOperations.MIN_OF_EXCESS * own.size();
        Map<Activity, Long> counts = own.stream()
                .flatMap(Hit::whatElse)
                .collect(Collectors.groupingBy(what -> what, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .filter(e -> e.getValue() >= least
                        && e.getValue()
                                >= 2 * own.size() * usual.during(e.getKey()).share())
                .max(Map.Entry.comparingByValue())
                .map(most ->
                        "during " + most.getKey().label() + " in " + most.getValue() + " of " + own.size() + " samples")
                .orElse("");
    }

    /** When the server did it, by samples in all operations. */
    static String periods(Activity what, List<Hit> hits) {
        double[] times = hits.stream()
                .filter(hit -> hit.whatElse().anyMatch(what::equals))
                .mapToDouble(Hit::seconds)
                .sorted()
                .toArray();
        List<String> periods = new ArrayList<>();
        double from = times[0];
        for (int i = 1; i <= times.length; i++) {
            if (i == times.length || times[i] - times[i - 1] > 2 * TimeShares.EVENT_SECONDS) {
                periods.add(Rounded.format("%.1f s to %.1f s", from, times[i - 1]));
                from = i == times.length ? 0 : times[i];
            }
        }
        int more = periods.size() - MAX_PERIODS;
        return String.join(", ", periods.subList(0, Math.min(MAX_PERIODS, periods.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
