package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains the longest operations. A cause is named only if it took at least half of the time that an operation took beyond
 * its usual time; otherwise it is unknown. Immutable.
 */
public final class LongTimes {
    static final double MIN_SHARE = 0.5;
    static final double MIN_EXCESS_SECONDS = 0.1;
    private static final double USUAL_TIMES = 2;

    /** Longer operations with unknown cause are reported. */
    private static final double STALL_SECONDS = 0.5;

    /** A stall of an open loop. Many operations wait for it, so only its length shows it, not the percentiles. */
    private static final double OPEN_STALL_SECONDS = 0.1;

    private static final double STALL_USUAL_TIMES = 100;
    private static final int MAX_REPORTED = 3;

    private static final Set<RemarkCode> CODES = Set.of(
            RemarkCode.LONG_OPERATION,
            RemarkCode.LONG_OPERATION_COLLECTOR,
            RemarkCode.LONG_OPERATION_STEAL,
            RemarkCode.LONG_OPERATION_WAIT,
            RemarkCode.LONG_OPERATION_CLIENT,
            RemarkCode.LONG_OPERATION_SERVER);

    /** A slow operation, in seconds since the start of the measurement. */
    private record Slow(int operation, int host, double from, double to, double usual) {
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

    /**
     * A cause, the same for several periods.
     *
     * @param kind null: unknown
     * @param who as in {@link Suspect}
     */
    private record Cause(@Nullable Kind kind, String who) {
        String words() {
            if (kind == null) {
                return "cause unknown";
            }
            return who.isEmpty() ? kind.words : who + kind.words;
        }
    }

    /** Slow operations at the same time: the longest, their number, the cause, and how much of the longest it took. */
    private record Period(Slow longest, int operations, Cause cause, double causeSeconds) {
        /** For people: {@code 0.8 s from 1.2 s on (garbage collection)}. */
        String words() {
            return String.format(
                    Locale.ROOT, "%.3f s from %.3f s on (%s)", longest.seconds(), longest.from, cause.words());
        }
    }

    /** What operations of the same kind that lasted about as long waited for. */
    @FunctionalInterface
    interface WaitOfOthers {
        /**
         * Their wait, as that of an operation; empty if it is unknown.
         *
         * @param operation its number
         * @param from its start, in seconds since the start of the measurement, as its end
         */
        Optional<Suspect> of(int operation, double from, double to);
    }

    private final List<Slow> slow = new ArrayList<>();
    private final List<Suspect> suspects;
    private final WaitOfOthers waitOfOthers;

    /**
     * @param waits long waits of all clients
     * @param usualNanos usual duration by operation
     * @param startNanos start of the measurement, since the start of the load, pauses excluded
     * @param endNanos end of the measurement, likewise
     * @param waitOfOthers of operations that have too few samples of their own
     */
    LongTimes(
            List<LongWait> waits,
            long[] usualNanos,
            long startNanos,
            long endNanos,
            List<Suspect> suspects,
            WaitOfOthers waitOfOthers) {
        this.suspects = List.copyOf(suspects);
        this.waitOfOthers = waitOfOthers;
        for (LongWait wait : waits) {
            Slow one = new Slow(
                    wait.operation(),
                    wait.host(),
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

    /** Whether a remark is one on the longest operations. */
    static boolean isOn(Remark remark) {
        return CODES.contains(remark.code());
    }

    /** Whether a result has such a warning. A result that is read back has it, but not the evidence for it. */
    public static boolean isIn(List<Remark> warnings) {
        return warnings.stream().anyMatch(LongTimes::isOn);
    }

    /**
     * The remark on the longest operations, those of at most {@value #MAX_REPORTED} periods: its code is that of the cause to which most
     * of their time belongs, and it names the other periods with their causes. Empty if there is nothing to report.
     *
     * @param isOpen whether operations start on a schedule
     * @param connectionSeconds the longest wait for a connection, which may explain what nothing else does
     * @param outages remarks of their own say of these what is known
     * @param withWaits those whose remarks also say what operations {@linkplain #waitIn waited for}
     */
    Optional<Remark> remark(boolean isOpen, double connectionSeconds, List<Outage> outages, List<Outage> withWaits) {
        double longerThan = isOpen ? OPEN_STALL_SECONDS : STALL_SECONDS;
        List<Period> found = new ArrayList<>();
        List<Slow> left = new ArrayList<>(slow);
        while (!left.isEmpty() && found.size() < MAX_REPORTED) {
            Slow longest = left.get(0);
            List<Slow> together = left.stream().filter(longest::meets).toList();
            left.removeAll(together);
            Kind cause = cause(longest);
            // the standstills of a run are one remark
            boolean isQueued = cause == null && connectionSeconds >= MIN_SHARE * longest.excess();
            boolean isOutage = (cause == null || cause == Kind.SERVER || cause == Kind.WAIT)
                    && (cause == Kind.WAIT ? withWaits : outages)
                            .stream().anyMatch(o -> longest.isMostlyIn(o.fromSeconds(), o.toSeconds()));
            boolean isOfServer = cause == Kind.SERVER || cause == Kind.WAIT;
            boolean isOfHost = cause != null && cause.isOfClient && ofHost(cause, longest); // its own remark has it
            boolean isElsewhere = cause == Kind.STANDSTILL || isOfHost || isQueued || isOutage;
            if (!isElsewhere && (longest.isStall(longerThan) || (cause != null && !isOfServer))) {
                found.add(period(longest, together.size(), cause));
            }
        }
        return found.stream()
                .collect(Collectors.groupingBy(Period::cause, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .max(Comparator.comparingDouble(LongTimes::seconds))
                .map(heaviest -> remark(heaviest.get(0), found));
    }

    private Period period(Slow longest, int operations, @Nullable Kind cause) {
        if (cause != null) {
            return new Period(longest, operations, new Cause(cause, who(cause, longest)), taken(cause, longest));
        }
        return waitOfOthers
                .of(longest.operation, longest.from, longest.to)
                .map(wait -> new Period(longest, operations, new Cause(wait.kind(), wait.who()), wait.seconds()))
                .orElseGet(() -> new Period(longest, operations, new Cause(null, ""), 0));
    }

    /**
     * What long operations waited for in an outage of all nodes, by samples of one that was mostly in it, unless the clients' threads stalled;
     * empty if that is unknown.
     */
    Optional<String> waitIn(Outage outage) {
        if (outage.node() != null) {
            return Optional.empty();
        }
        return outage.clientStalled()
                ? Optional.of(Kind.CLIENT.words)
                : slow.stream()
                        .filter(one ->
                                one.isMostlyIn(outage.fromSeconds(), outage.toSeconds()) && cause(one) == Kind.WAIT)
                        .findFirst()
                        .map(one -> who(Kind.WAIT, one));
    }

    private static double seconds(List<Period> periods) {
        return periods.stream().mapToDouble(period -> period.longest.seconds()).sum();
    }

    /** @param all the periods, which may have other causes */
    private static Remark remark(Period period, List<Period> all) {
        Kind kind = period.cause.kind;
        Integer operations = period.operations > 1 ? period.operations : null;
        if (kind == null) {
            return complete(RemarkCode.LONG_OPERATION.with("operations", operations), period, all);
        }
        double seconds = period.causeSeconds;
        return switch (kind) {
            case WAIT ->
                complete(
                        RemarkCode.LONG_OPERATION_WAIT
                                .with("wait", period.cause.who)
                                .with("causeSeconds", seconds)
                                .with("operations", operations),
                        period,
                        all);
            case SERVER ->
                complete(
                        RemarkCode.LONG_OPERATION_SERVER
                                .with("server", period.cause.who)
                                .with("causeSeconds", seconds)
                                .with("operations", operations),
                        period,
                        all);
            case COLLECTOR, STEAL, CLIENT, STANDSTILL ->
                complete(codeOfClient(kind).with("causeSeconds", seconds).with("operations", operations), period, all);
        };
    }

    private static Remark complete(Remark.Builder begun, Period period, List<Period> all) {
        String others = all.stream()
                .filter(other -> !other.equals(period))
                .map(Period::words)
                .collect(Collectors.joining("; "));
        return begun.with("seconds", period.longest.seconds())
                .with("fromSeconds", period.longest.from)
                .with("toSeconds", period.longest.to)
                .with("others", others.isEmpty() ? null : others)
                .remark();
    }

    private static RemarkCode codeOfClient(Kind kind) {
        return switch (kind) {
            case COLLECTOR -> RemarkCode.LONG_OPERATION_COLLECTOR;
            case STEAL -> RemarkCode.LONG_OPERATION_STEAL;
            case CLIENT -> RemarkCode.LONG_OPERATION_CLIENT;
            case STANDSTILL, WAIT, SERVER -> throw new IllegalStateException(kind + " has a remark of its own");
        };
    }

    private String who(Kind kind, Slow operation) {
        return mainSuspect(kind, operation).map(Suspect::who).orElseThrow();
    }

    private boolean ofHost(Kind kind, Slow operation) {
        return mainSuspect(kind, operation)
                .filter(suspect -> suspect.host() != Suspect.ANY_HOST)
                .isPresent();
    }

    private Optional<Suspect> mainSuspect(Kind kind, Slow operation) {
        return suspects.stream()
                .filter(s -> s.kind() == kind && s.mayDelay(operation.host))
                .max(Comparator.comparingDouble(s -> s.within(operation.from, operation.to)));
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
            if (suspect.kind() == kind && suspect.mayDelay(operation.host)) {
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
     * @param who the server, or what it waited for; empty if the kind says it all
     * @param host the number of the host whose clients it delayed; {@link #ANY_HOST} if it can be any
     * @param seconds upper bound of the time it took in that period
     */
    public record Suspect(Kind kind, String who, int host, double from, double to, double seconds) {
        /** Stands for all hosts. */
        public static final int ANY_HOST = -1;

        /** The kind of cause, from the most to the least specific. */
        public enum Kind {
            STANDSTILL(true, true, "standstill"),
            COLLECTOR(true, true, "garbage collection"),
            STEAL(true, true, "CPU steal"),
            WAIT(false, false, ""),
            CLIENT(true, false, "the client's threads stalled"),
            SERVER(false, false, " did not answer");

            /** Whether it is in the process of the clients, or on their machine. */
            final boolean isOfClient;

            /** Whether several of them within an operation's time add up; otherwise the longest counts, because an operation waits for one answer. */
            final boolean isSummed;

            /** For people; it follows the name of the server or of the wait, if the cause has one. */
            final String words;

            Kind(boolean isOfClient, boolean isSummed, String words) {
                this.isOfClient = isOfClient;
                this.isSummed = isSummed;
                this.words = words;
            }
        }

        /** A cause in the client that lasted for the whole period. */
        public Suspect(Kind kind, double from, double to) {
            this(kind, "", from, to, to - from);
        }

        /** A cause that may have delayed the clients of any host. */
        public Suspect(Kind kind, String who, double from, double to, double seconds) {
            this(kind, who, ANY_HOST, from, to, seconds);
        }

        /** The same cause on a host. */
        Suspect on(int itsHost) {
            return new Suspect(kind, who, itsHost, from, to, seconds);
        }

        boolean mayDelay(int hostOfClient) {
            return host == ANY_HOST || host == hostOfClient;
        }

        /** This period in seconds since the given time. */
        public Suspect since(double start) {
            return new Suspect(kind, who, host, from - start, to - start, seconds);
        }

        /** Upper bound of the time it took within another period. */
        double within(double otherFrom, double otherTo) {
            return Math.max(0, Math.min(seconds, Math.min(to, otherTo) - Math.max(from, otherFrom)));
        }
    }
}
