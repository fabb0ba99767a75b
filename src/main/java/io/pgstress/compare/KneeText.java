package io.pgstress.compare;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Scaling.Fit;
import io.pgstress.result.Scaling.KneeSearch;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of a climb as sentences. Immutable. */
final class KneeText {
    private static final double SECONDS_OF_DAY = 86_400;

    private final @Nullable KneeSearch search;
    private final @Nullable Point knee;
    private final @Nullable Point peak;

    /** @param search null if no operation succeeded */
    KneeText(@Nullable KneeSearch search, @Nullable Point knee, @Nullable Point peak) {
        this.search = search;
        this.knee = knee;
        this.peak = peak;
    }

    /** @param within the highest load that meets the limit; null if there is none */
    List<String> verdict(Climbed climbed, double limitMicros, @Nullable Point within, @Nullable Fit fit) {
        List<String> words = new ArrayList<>();
        if (search == null || peak == null) {
            words.add("No operation succeeded, so the number of clients cannot be judged.");
        } else {
            words.addAll(knee(search, peak));
            if (limitMicros > 0) {
                words.add(limit(limitMicros, within));
            }
            words.add(curve(fit));
        }
        if (!climbed.isWhole()) {
            words.add("The climb " + (climbed.failure() == null ? "was interrupted" : "failed") + " after "
                    + climbed.all().size() + " steps.");
        }
        words.removeIf(String::isEmpty);
        return words;
    }

    List<Remark> warnings() {
        return search == null || knee != null
                ? List.of()
                : List.of(Remark.of(
                        search.toClients() == null ? RemarkCode.KNEE_NOT_REACHED : RemarkCode.KNEE_NOT_DETERMINED));
    }

    private List<String> knee(KneeSearch found, Point best) {
        List<String> words = new ArrayList<>();
        if (knee != null) {
            words.add(String.format(
                    Locale.ROOT,
                    "%s enough: %,.0f operations per second with a p99 of %.2f ms.",
                    clients(knee.clients(), "is", "are"),
                    knee.opsPerSecond(),
                    knee.p99Micros() / 1e3));
        } else if (found.toClients() == null) {
            words.add(
                    found.bestClients() == 1
                            ? "The knee was not reached: only 1 client was measured."
                            : "The knee was not reached: throughput still rose at " + clients(best.clients(), "", "")
                                    + ", the highest number measured.");
        } else {
            words.add("Knee not determined: between " + found.fromClients() + " and "
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
        String range = String.format(
                Locale.ROOT,
                "%.1f%% to %.1f%% of the throughput of %s (%d rounds)",
                r.low() * 100,
                r.high() * 100,
                clients(best.clients(), "", ""),
                r.rounds());
        if (Boolean.FALSE.equals(r.enough()) && r.clients() < best.clients()) {
            return clients(r.clients(), "is", "are") + " not enough: " + range + ".";
        }
        return clients(r.clients(), "reaches", "reach") + " " + range
                + (r.enough() == null ? "; 97% would be enough." : ".");
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

    private static String limit(double limitMicros, @Nullable Point within) {
        return within == null
                ? String.format(Locale.ROOT, "No number of clients keeps p99 within %.2f ms.", limitMicros / 1e3)
                : String.format(
                        Locale.ROOT,
                        "Highest load with a p99 of at most %.2f ms: %,.0f operations per second at %s.",
                        limitMicros / 1e3,
                        within.opsPerSecond(),
                        clients(within.clients(), "", ""));
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
