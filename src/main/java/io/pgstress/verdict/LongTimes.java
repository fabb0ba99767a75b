package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Explains the longest operations. A cause is named only if it took at least half of the time that an operation took beyond
 * its usual time; otherwise it is unknown. Immutable.
 */
public final class LongTimes {
    static final String UNKNOWN = "its cause is unknown (not garbage collection, CPU steal or a stalled client)";

    private static final double MIN_SHARE = 0.5;
    static final double MIN_EXCESS_SECONDS = 0.1;
    private static final double USUAL_TIMES = 2;

    /** Longer operations with unknown cause are reported. */
    private static final double STALL_SECONDS = 0.5;

    /** A stall of an open loop. Many operations wait for it, so only its length shows it, not the percentiles. */
    private static final double OPEN_STALL_SECONDS = 0.1;

    private static final double STALL_USUAL_TIMES = 100;
    private static final int MAX_REPORTED = 3;

    /** A slow operation, in seconds since the start of the measurement. */
    private record Slow(double from, double to, double usual) {
        double seconds() {
            return to - from;
        }

        double excess() {
            return seconds() - usual;
        }

        boolean isStall(double longerThan) {
            return seconds() > longerThan && seconds() > STALL_USUAL_TIMES * usual;
        }

        boolean isMostlyIn(double start, double end) {
            return Math.min(to, end) - Math.max(from, start) >= MIN_SHARE * excess();
        }

        boolean meets(Slow other) {
            return from < other.to && to > other.from;
        }
    }

    /** Slow operations at the same time: the longest, their number, and the cause in words. */
    private record Period(Slow longest, int operations, String cause) {}

    private final List<Slow> slow = new ArrayList<>();
    private final List<Suspect> suspects;

    /**
     * @param waits long waits of all clients
     * @param usualNanos usual duration by operation
     * @param startNanos start of the measurement, since the start of the load, pauses excluded
     * @param endNanos end of the measurement, likewise
     */
    LongTimes(List<LongWait> waits, long[] usualNanos, long startNanos, long endNanos, List<Suspect> suspects) {
        this.suspects = List.copyOf(suspects);
        for (LongWait wait : waits) {
            Slow one = new Slow(
                    (wait.since() - startNanos) / 1e9,
                    (wait.end() - startNanos) / 1e9,
                    usualNanos[wait.operation()] / 1e9);
            if (wait.failed() == 0
                    && wait.isAnswered()
                    && wait.since() >= startNanos
                    && wait.since() < endNanos
                    && one.excess() >= MIN_EXCESS_SECONDS
                    && one.seconds() >= USUAL_TIMES * one.usual()) {
                slow.add(one);
            }
        }
        slow.sort(Comparator.comparingDouble(Slow::seconds).reversed());
    }

    /** Whether a result has such a warning. A result that is read back has it, but not the evidence for it. */
    static boolean isIn(List<Remark> warnings) {
        return warnings.stream().anyMatch(w -> w.code() == RemarkCode.LONG_OPERATION);
    }

    /**
     * The remark on the longest operation; it lists those of at most {@value #MAX_REPORTED} periods. Empty if there are none.
     *
     * @param isOpen whether operations start on a schedule
     * @param connectionSeconds the longest wait for a connection, which may explain what nothing else does
     * @param outages remarks of their own say of these what is known
     */
    List<Remark> remarks(boolean isOpen, double connectionSeconds, List<Outage> outages) {
        double longerThan = isOpen ? OPEN_STALL_SECONDS : STALL_SECONDS;
        List<Period> found = new ArrayList<>();
        List<Slow> left = new ArrayList<>(slow);
        boolean areLongerElsewhere = false;
        while (!left.isEmpty() && found.size() < MAX_REPORTED) {
            Slow longest = left.get(0);
            List<Slow> together = left.stream().filter(longest::meets).toList();
            left.removeAll(together);
            Kind cause = cause(longest);
            // the standstills of a run are one remark
            boolean isQueued = cause == null && connectionSeconds >= MIN_SHARE * longest.excess();
            boolean isOutage = (cause == null || cause == Kind.SERVER)
                    && outages.stream().anyMatch(o -> longest.isMostlyIn(o.fromSeconds(), o.toSeconds()));
            boolean isOfServer = cause == Kind.SERVER || cause == Kind.WAIT;
            boolean isElsewhere = cause == Kind.STANDSTILL || isQueued || isOutage;
            if (!isElsewhere && (longest.isStall(longerThan) || (cause != null && !isOfServer))) {
                found.add(new Period(longest, together.size(), words(longest, cause)));
            }
            areLongerElsewhere |= isElsewhere && found.isEmpty();
        }
        return found.isEmpty() ? List.of() : List.of(remark(found, areLongerElsewhere));
    }

    /** @param areLongerElsewhere whether other remarks explain longer operations */
    private static Remark remark(List<Period> found, boolean areLongerElsewhere) {
        Period first = found.get(0);
        Slow longest = first.longest;
        List<String> others = found.stream()
                .skip(1)
                .map(other -> format("%.3f s", other.longest.seconds())
                        + format(" from %.3f s on", other.longest.from)
                        + (other.cause.equals(first.cause) ? "" : " (" + other.cause + ")"))
                .toList();
        return RemarkCode.LONG_OPERATION
                .with("operations", first.operations > 1 ? first.operations : null)
                .with("apart", areLongerElsewhere ? "those that other remarks explain" : null)
                .with("seconds", longest.seconds())
                .with("fromSeconds", longest.from)
                .with("toSeconds", longest.to)
                .with("cause", first.cause)
                .with("others", others.isEmpty() ? null : String.join(" and ", others))
                .remark();
    }

    private String words(Slow longest, @Nullable Kind cause) {
        return cause == null ? UNKNOWN : who(cause, longest) + " " + format(cause.what, taken(cause, longest));
    }

    private static String format(String words, double seconds) {
        return String.format(Locale.ROOT, words, seconds);
    }

    private String who(Kind kind, Slow operation) {
        return suspects.stream()
                .filter(s -> s.kind() == kind)
                .max(Comparator.comparingDouble(s -> s.within(operation.from, operation.to)))
                .map(Suspect::who)
                .orElse(kind.who);
    }

    /** The first kind that explains at least half of the time beyond the usual; null if none does. */
    private @Nullable Kind cause(Slow operation) {
        for (Kind kind : Kind.values()) {
            if (taken(kind, operation) >= MIN_SHARE * operation.excess()) {
                return kind;
            }
        }
        return null;
    }

    private double taken(Kind kind, Slow operation) {
        double sum = 0;
        double longest = 0;
        for (Suspect suspect : suspects) {
            if (suspect.kind() == kind) {
                double seconds = suspect.within(operation.from, operation.to);
                sum += seconds;
                longest = Math.max(longest, seconds);
            }
        }
        return kind.isSummed ? sum : longest;
    }

    /**
     * A possible cause of waits, with its period in seconds since the start of the measurement.
     *
     * @param who its name in a sentence
     * @param seconds upper bound of the time it took in that period
     */
    public record Suspect(Kind kind, String who, double from, double to, double seconds) {
        /** The kind of cause, from the most to the least specific. */
        public enum Kind {
            STANDSTILL("the client's process", "stood still for %.3f s of that time", true),
            COLLECTOR("the client's garbage collector", "paused the client for %.3f s of that time", true),
            STEAL(
                    "other virtual machines on the client's host",
                    "took %.3f s of that time from the client (steal)",
                    true),
            WAIT("waiting on a server", "took about %.3f s of that time", false),
            CLIENT("the client's own threads", "stalled for %.3f s of that time", false),
            SERVER(
                    "a server",
                    "left its checks unanswered for %.3f s of that time, so it or the network stalled",
                    false);

            final String who;
            final String what;

            /** Whether several of them within an operation's time add up; otherwise the longest counts, because an operation waits for one answer. */
            final boolean isSummed;

            Kind(String who, String what, boolean isSummed) {
                this.who = who;
                this.what = what;
                this.isSummed = isSummed;
            }
        }

        /** A cause in the client that lasted for the whole period. */
        public Suspect(Kind kind, double from, double to) {
            this(kind, kind.who, from, to, to - from);
        }

        /** This period in seconds since the given time. */
        public Suspect since(double start) {
            return new Suspect(kind, who, from - start, to - start, seconds);
        }

        /** Upper bound of the time it took within another period. */
        double within(double otherFrom, double otherTo) {
            return Math.max(0, Math.min(seconds, Math.min(to, otherTo) - Math.max(from, otherFrom)));
        }
    }
}
