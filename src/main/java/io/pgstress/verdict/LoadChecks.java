package io.pgstress.verdict;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.Workload;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks whether the load was the requested one, and steady. Not thread-safe. */
final class LoadChecks {
    private static final double MIN_BEGUN = RunFigures.MIN_BEGUN;
    private static final int FEW_BETWEEN_PAUSES = 10;
    private static final double STALL_SECONDS = 0.1;
    private static final double STALL_P99S = 10;
    private static final int MIN_INTERVALS = 3;

    /** More are one remark: a test of an hour with a stall per minute would have 60. */
    private static final int MAX_OUTAGES = 3;

    /** From this share of the mean time on, the wait for a connection is worth a word. */
    private static final double MIN_ACQUIRE = 0.1;

    private static final double MIN_ACQUIRE_MICROS = 100;

    private final Remarks remarks;

    LoadChecks(Remarks remarks) {
        this.remarks = remarks;
    }

    /**
     * An open loop must start what is due, whatever happens. Several rates are a search for the highest sustainable one:
     * falling behind in a later step is then expected.
     *
     * @param due operations due within the measurement
     * @param ended operations with any outcome that ended within it
     * @param seconds duration of the measurement
     * @param steps steps of the target rate
     * @param backlog operations due but not started at its end; null in a closed loop
     * @param unserved the time within it in which nothing was served
     */
    void rate(long due, long ended, double seconds, List<RateStep> steps, @Nullable Long backlog, Unserved unserved) {
        if (backlog == null || due == 0 || seconds == 0) {
            return;
        }
        int behind = RateSteps.firstBehind(steps, unserved.stalls);
        if (behind < 0 && RunFigures.keptUp(due, backlog)) {
            if (due - ended > 1 && ended < MIN_BEGUN * due) {
                inFlight(due, ended, seconds, unserved);
            }
            return;
        }
        long dueUnserved = Math.round(
                steps.isEmpty() ? due / seconds * unserved.seconds() : RateSteps.dueIn(unserved.stalls, steps));
        if (behind > 0) {
            RateStep kept = steps.get(behind - 1);
            RateStep next = steps.get(behind);
            remarks.add(RemarkCode.OVERLOAD_IN_STEPS
                    .with("sustained", kept.targetRate())
                    .with("served", next.opsPerSecond())
                    .with("next", next.targetRate())
                    .remark());
        } else if (behind == 0 && steps.size() > 1) {
            RateStep first = steps.get(0);
            remarks.add(RemarkCode.OVERLOAD_IN_FIRST_STEP
                    .with("served", first.opsPerSecond())
                    .with("target", first.targetRate())
                    .with("backlog", first.backlog())
                    .remark());
        } else if (RunFigures.keptUp(due, backlog)) {
            return;
        } else if (dueUnserved >= RateSteps.MIN_OF_BACKLOG * backlog) {
            remarks.add(RemarkCode.BEHIND_AFTER_OUTAGE
                    .with("served", ended / seconds)
                    .with("due", due / seconds)
                    .with("backlog", backlog)
                    .with("dueInOutage", dueUnserved)
                    .with("outageSeconds", unserved.seconds())
                    .with("endSeconds", unserved.end())
                    .remark());
        } else {
            remarks.add(RemarkCode.OVERLOAD
                    .with("served", ended / seconds)
                    .with("due", due / seconds)
                    .with("backlog", backlog)
                    .remark());
        }
    }

    /** Operations that had not ended with the measurement took their usual time, unless most of them were due in a stall at its end. */
    private void inFlight(long due, long ended, double seconds, Unserved unserved) {
        if (due / seconds * unserved.atEndSeconds < RateSteps.MIN_OF_BACKLOG * (due - ended)) {
            remarks.add(
                    RemarkCode.IN_FLIGHT.with("ended", ended).with("due", due).remark());
        } else if (!unserved.isOutageAtEnd) { // otherwise it has a remark of its own
            remarks.add(RemarkCode.STALLED_AT_END
                    .with("ended", ended)
                    .with("due", due)
                    .with("seconds", unserved.atEndSeconds)
                    .remark());
        }
    }

    /**
     * The time of a measurement in which nothing was served although clients tried.
     *
     * @param measuredSeconds duration of the measurement
     * @param stalls outages, and stalls that are too short for one
     * @param atEndSeconds of these, the last seconds before the end of the measurement
     * @param isOutageAtEnd whether those are of an outage
     */
    record Unserved(double measuredSeconds, List<Outage> stalls, double atEndSeconds, boolean isOutageAtEnd) {
        /** When the last stall ended; null if none ended while the run could see it. */
        @Nullable
        Double end() {
            boolean lasts = stalls.stream().anyMatch(stall -> Availability.hasNoEnd(stall, measuredSeconds));
            OptionalDouble last = stalls.stream().mapToDouble(Outage::toSeconds).max();
            return lasts || last.isEmpty() ? null : Double.valueOf(last.getAsDouble());
        }

        double seconds() {
            return Availability.secondsWithoutSuccess(measuredSeconds, stalls);
        }
    }

    /**
     * @param pauses number of pauses of all clients in which ids were made available again
     * @param operations number of operations that ended, with any outcome
     */
    void pauses(int pauses, long operations, int clients) {
        if (pauses > 0 && operations < (long) FEW_BETWEEN_PAUSES * clients * pauses) {
            remarks.add(RemarkCode.IDS_USED_UP_OFTEN
                    .with("operations", Math.round((double) operations / pauses))
                    .with("clients", clients)
                    .remark());
        }
    }

    /** With fewer connections than clients, operations wait for one. */
    void connections(RunResult result) {
        Workload workload = result.run().workload();
        int connections = workload.poolSize()
                * Math.max(1, result.nodes().size())
                * Math.max(1, result.hosts().size());
        Map<String, Latency> times = result.total().latencyMicros();
        Latency total = times.get("total");
        Latency acquire = times.get("acquire");
        if (workload.poolSize() == 0
                || connections >= workload.clients()
                || total == null
                || acquire == null
                || acquire.mean() < MIN_ACQUIRE_MICROS
                || acquire.mean() < MIN_ACQUIRE * total.mean()) {
            return;
        }
        remarks.add(RemarkCode.CONNECTION_WAITS
                .with("waitMillis", acquire.mean() / 1e3)
                .with("meanMillis", total.mean() / 1e3)
                .with("percent", 100 * acquire.mean() / total.mean())
                .with("connections", connections)
                .with("clients", workload.clients())
                .remark());
    }

    /** @param cut what the warm-up had not reached at its limit; empty if it was complete */
    void warmup(String cut, double seconds) {
        if (!cut.isEmpty()) {
            remarks.add(RemarkCode.WARMUP_CUT
                    .with("missing", cut)
                    .with("seconds", seconds)
                    .remark());
        }
    }

    /**
     * Reports periods without a success; if a server has many, in one remark.
     *
     * @param waits what operations waited for in an outage; empty: unknown
     */
    void outages(List<Outage> outages, Function<Outage, Optional<String>> waits) {
        outages.stream()
                .collect(Collectors.groupingBy(
                        outage -> Optional.ofNullable(outage.node()), LinkedHashMap::new, Collectors.toList()))
                .forEach((node, own) -> {
                    if (own.size() > MAX_OUTAGES) {
                        Outage longest = Collections.max(own, Comparator.comparingDouble(LoadChecks::seconds));
                        remarks.add(RemarkCode.OUTAGES
                                .with("node", node.orElse(null))
                                .with("periods", own.size())
                                .with(
                                        "seconds",
                                        own.stream()
                                                .mapToDouble(LoadChecks::seconds)
                                                .sum())
                                .with("fromSeconds", longest.fromSeconds())
                                .with("toSeconds", longest.toSeconds())
                                .with("wait", waits.apply(longest).orElse(null))
                                .remark());
                    } else {
                        own.forEach(outage -> remarks.add(RemarkCode.OUTAGE
                                .with("node", node.orElse(null))
                                .with("fromSeconds", outage.fromSeconds())
                                .with("toSeconds", outage.toSeconds())
                                .with("seconds", seconds(outage))
                                .with("wait", waits.apply(outage).orElse(null))
                                .remark()));
                    }
                });
    }

    private static double seconds(Outage outage) {
        return outage.toSeconds() - outage.fromSeconds();
    }

    /** In a closed loop, a stall shows up only as a few slow operations. */
    void stalls(Map<String, OperationResult> operations) {
        operations.forEach((name, operation) -> {
            Latency total = operation.latencyMicros().get("total");
            if (total != null
                    && total.max() > STALL_SECONDS * 1e6
                    && total.max() > STALL_P99S * Math.max(total.p99(), medianOfStatements(operation))) {
                remarks.add(RemarkCode.STALL
                        .with("operation", name)
                        .with("seconds", total.max() / 1e6)
                        .with("times", total.max() / total.p99())
                        .remark());
            }
        });
    }

    /** The sum of its statements' medians: more than its own if most of its executions skip a long one. */
    private static double medianOfStatements(OperationResult operation) {
        return operation.statements().values().stream()
                .map(StatementResult::latencyMicros)
                .filter(Objects::nonNull)
                .mapToDouble(Latency::p50)
                .sum();
    }

    /** @param measured number of intervals of the measurement */
    void intervals(int measured) {
        if (measured < MIN_INTERVALS) {
            remarks.add(RemarkCode.FEW_INTERVALS.with("intervals", measured).remark());
        }
    }

    /** Checks whether the load's sessions waited for locks, by samples of their wait events (pg_stat_activity) in the measurement. */
    static final class LockWaits {
        private static final String LOCK = "Lock:";

        /** Waits are reported from this share of the sessions' time on. */
        private static final double MIN_SHARE = 0.1;

        private LockWaits() {}

        static void judge(RunResult result, Remarks remarks) {
            ServerCounts profile = result.serverProfile().counts();
            double all = profile.sessionSeconds();
            double waits = profile.waitEventSeconds().entrySet().stream()
                    .filter(e -> e.getKey().startsWith(LOCK))
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
            if (waits <= MIN_SHARE * all) {
                return;
            }
            profile.waitEventSeconds().entrySet().stream()
                    .filter(e -> e.getKey().startsWith(LOCK))
                    .max(Comparator.comparingDouble(Map.Entry::getValue))
                    .ifPresent(most -> remarks.add(RemarkCode.LOCK_WAITS
                            .with("percent", 100 * waits / all)
                            .with("lock", most.getKey())
                            .remark()));
        }
    }

    /**
     * Checks whether throughput was steady over the measurement. A load that speeds up or slows down has no single rate, whatever its
     * warm-up was. The rate of an open loop is given, so that only the share of its operations that succeed can change, unless
     * it does not keep up. Outages are remarks of their own: intervals that they affected are left out.
     */
    static final class SteadyState {
        /** A rise up to this is no rise after a fixed warm-up. An automatic one has waited for the compiler. */
        private static final double MAX_LEVEL_CHANGE = 0.03;

        /** Larger changes from the first to the last third cause a warning. */
        private static final double MAX_STEADY_CHANGE = 0.1;

        /**
         * Larger changes refute a steady state. Twice the other limit, because a compiler still at work when the
         * warm-up ends, or other load on a shared machine, changes throughput by 10% to 20% in runs whose mean is still useful.
         */
        private static final double MAX_VALID_CHANGE = 0.2;

        /** With two intervals in a third, the ratio of the thirds that no noise explains; with one, twice as much is worth a warning. */
        private static final double MAX_RATIO_OF_TWO = 1.5;

        private static final double MAX_RATIO_OF_ONE = 2;

        /** The ratio of two single intervals that refutes a steady state, if one of them has enough operations to be no accident. */
        private static final double MAX_VALID_RATIO_OF_ONE = 4;

        private static final long MIN_OPERATIONS_OF_ONE = 100;

        /** A mean rate that is known less exactly than to this share is worth a warning. */
        private static final double MAX_UNCERTAINTY = 0.25;

        /** At least this part of an interval has to be outside of outages for its rate to count, */
        private static final double MIN_SERVED = 0.5;

        /** and at most this part of it may be the time until the rate reached its earlier level again. */
        private static final double MAX_RECOVERING = 0.1;

        private SteadyState() {}

        static void judge(RunFigures run, Remarks remarks) {
            if (run.result().run().workload().rates().size() > 1) {
                return; // each step of a target rate is judged by itself
            }
            double[] values = run.isClosed() ? rates(run) : successShares(run);
            double middle = Math.abs(Trend.ofMiddle(values));
            boolean isNotable = isNotable(values);
            if (isNotable || middle > MAX_STEADY_CHANGE) {
                boolean isLarge = middle > MAX_VALID_CHANGE || (isNotable && isLarge(run, values));
                remarks.add((isLarge ? RemarkCode.NOT_STEADY : RemarkCode.UNSTEADY)
                        .with("first", Trend.mean(Trend.third(rates(run), 1)))
                        .with("middle", middle > MAX_STEADY_CHANGE ? Trend.mean(Trend.third(rates(run), 2)) : null)
                        .with("last", Trend.mean(Trend.third(rates(run), 3)))
                        .remark());
            } else if (run.isClosed() && !Trend.isKnown(values) && Math.abs(Trend.of(values)) > MAX_VALID_CHANGE) {
                remarks.add(RemarkCode.FEW_INTERVALS
                        .with("intervals", values.length)
                        .with(
                                "measured",
                                values.length < run.measured().size()
                                        ? run.measured().size()
                                        : null)
                        .with("first", Trend.mean(Trend.third(values, 1)))
                        .with("last", Trend.mean(Trend.third(values, 3)))
                        .remark());
            } else if (run.isClosed() && Trend.isKnown(values)) {
                MeanRate mean = MeanRate.of(values);
                if (mean.normalUncertainty() > MAX_UNCERTAINTY) {
                    remarks.add(RemarkCode.RATE_VARIES
                            .with("low", Arrays.stream(values).min().orElse(0))
                            .with("high", Arrays.stream(values).max().orElse(0))
                            .with("percent", 100 * Math.min(1, mean.uncertainty()))
                            .remark());
                }
            }
        }

        /**
         * How well the mean of rates is known. Values that are like their neighbours tell less than independent ones, and those that
         * take turns more: by the autocorrelation at lag one, as of a first-order autoregressive process.
         *
         * @param error standard error of the mean, relative to it
         * @param effective number of independent values that tell as much
         */
        record MeanRate(double error, double effective) {
            private static final double NORMAL = 1.959964;

            static MeanRate of(double... rates) {
                double mean = Trend.mean(rates);
                double squares = 0;
                double products = 0;
                for (int i = 0; i < rates.length; i++) {
                    squares += (rates[i] - mean) * (rates[i] - mean);
                    products += i == 0 ? 0 : (rates[i] - mean) * (rates[i - 1] - mean);
                }
                if (squares == 0) {
                    return new MeanRate(0, rates.length);
                }
                double correlation = Math.max(-0.9, Math.min(0.9, products / squares));
                double effective = rates.length * (1 - correlation) / (1 + correlation);
                return new MeanRate(Math.sqrt(squares / (rates.length - 1) / effective) / mean, effective);
            }

            /** Half the width of the 95% confidence interval, as if the spread of the values were known exactly: what varies little is steady. */
            double normalUncertainty() {
                return NORMAL * error;
            }

            /** Half the width of the 95% confidence interval, by Student's distribution. */
            double uncertainty() {
                return student(Math.max(1, effective - 1)) * error;
            }

            /** The quantile 0.975 of Student's distribution (Abramowitz and Stegun, 1964, 26.7.5): 3% too low with two degrees of freedom. */
            static double student(double degrees) {
                double z = NORMAL;
                return z
                        + (Math.pow(z, 3) + z) / (4 * degrees)
                        + (5 * Math.pow(z, 5) + 16 * Math.pow(z, 3) + 3 * z) / (96 * degrees * degrees)
                        + (3 * Math.pow(z, 7) + 19 * Math.pow(z, 5) + 17 * Math.pow(z, 3) - 15 * z)
                                / (384 * Math.pow(degrees, 3));
            }
        }

        /** Whether the change from the first third to the last is worth a warning. */
        private static boolean isNotable(double... values) {
            double change = Trend.of(values);
            return Trend.isKnown(values)
                    ? Math.abs(change) > MAX_STEADY_CHANGE
                    : ratio(change) > (values.length < 6 ? MAX_RATIO_OF_ONE : MAX_RATIO_OF_TWO);
        }

        /** Whether a notable change refutes a steady state: with single intervals in the thirds, a smaller one may be noise. */
        private static boolean isLarge(RunFigures run, double... values) {
            double change = Trend.of(values);
            if (Trend.isKnown(values)) {
                return Math.abs(change) > MAX_VALID_CHANGE;
            }
            return values.length >= 6
                    || (ratio(change) > MAX_VALID_RATIO_OF_ONE
                            && undisturbed(run).anyMatch(i -> RunFigures.ended(i) >= MIN_OPERATIONS_OF_ONE));
        }

        /** At least 1, whether the values rose or fell. */
        private static double ratio(double change) {
            return Math.max(1 + change, 1 / (1 + change));
        }

        /**
         * The share of each interval's operations that succeeded. If any of them may miss without a limit, misses and duplicates are
         * part of it: intervals have only their totals.
         */
        private static double[] successShares(RunFigures run) {
            boolean mayMiss = !run.result()
                    .run()
                    .workload()
                    .maxMissShares()
                    .keySet()
                    .containsAll(run.result().load().operations().keySet());
            return undisturbed(run)
                    .filter(i -> RunFigures.ended(i) > 0)
                    .mapToDouble(i -> (double) (i.counts().ok()
                                    + (mayMiss
                                            ? i.counts().misses() + i.counts().duplicates()
                                            : 0))
                            / RunFigures.ended(i))
                    .toArray();
        }

        /**
         * Whether operations were as fast at the beginning of the measurement as at its end; false if this is unknown. After an automatic
         * warm-up, a rise that needs no warning of its own counts as none: there is nothing that the user could do about it. The speed of a
         * closed loop is its rate; where the rate is given, it is the inverse of the mean time.
         */
        static boolean isKnownNotToRise(RunFigures run) {
            double[] speeds = run.isClosed() ? rates(run) : inverseTimes(run);
            double limit = run.result().run().workload().automaticWarmup() ? MAX_STEADY_CHANGE : MAX_LEVEL_CHANGE;
            return Trend.isKnown(speeds)
                    ? Trend.of(speeds) <= limit
                    : speeds.length >= 3
                            && Trend.mean(Trend.third(speeds, 3)) <= (1 + limit) * Trend.mean(Trend.third(speeds, 1));
        }

        private static double[] inverseTimes(RunFigures run) {
            return undisturbed(run)
                    .map(interval -> interval.times().totalMicros())
                    .filter(total -> total != null && total.mean() > 0)
                    .mapToDouble(total -> 1 / total.mean())
                    .toArray();
        }

        /** The rates of the intervals in the time in which operations succeeded. */
        private static double[] rates(RunFigures run) {
            List<Outage> outages = run.result().load().outages();
            return run.measured().stream()
                    .flatMapToDouble(interval -> served(interval, outages))
                    .toArray();
        }

        /** The rate of an interval outside of outages; empty if that is too little of it. */
        private static DoubleStream served(IntervalResult interval, List<Outage> outages) {
            double without = 0;
            double recovering = 0;
            for (Outage outage : outages) {
                Double full = outage.fullRateAtSeconds();
                without += overlap(interval, outage.fromSeconds(), outage.toSeconds());
                recovering += full == null ? 0 : overlap(interval, outage.toSeconds(), full);
            }
            double seconds = interval.seconds();
            double served = seconds - without;
            return served < MIN_SERVED * seconds || recovering > MAX_RECOVERING * seconds
                    ? DoubleStream.empty()
                    : DoubleStream.of(interval.rates().opsPerSecond() * seconds / served);
        }

        private static double overlap(IntervalResult interval, double from, double to) {
            double end = interval.atSeconds() + interval.seconds();
            return Math.max(0, Math.min(to, end) - Math.max(from, interval.atSeconds()));
        }

        /** The intervals of the measurement that no outage affected. */
        private static Stream<IntervalResult> undisturbed(RunFigures run) {
            List<Outage> outages = run.result().load().outages();
            return run.measured().stream()
                    .filter(interval -> outages.stream().noneMatch(outage -> outage.affects(interval)));
        }

        /** The change of throughput from the first to the last third of a measurement. */
        static final class Trend {
            /** With fewer intervals per third, only large changes are a trend. */
            private static final int MIN_INTERVALS = 3;

            /**
             * Two thirds differ by more than noise if the pairs of their intervals that differ in the same direction are this much more than
             * the others, as a share of all,
             */
            private static final double APART = 0.9;

            /** or at least this much, if their {@linkplain #averages averages} are apart by a change that refutes a steady state; */
            private static final double APART_WITH_AVERAGES = 0.4;

            /** with fewer intervals per third, these are averages of too few. */
            private static final int MIN_INTERVALS_OF_AVERAGES = 8;

            /** A third stands out if this part of all deviations from the median is in it. */
            private static final double OF_DEVIATIONS = 0.75;

            private Trend() {}

            /** Whether there are enough intervals. */
            static boolean isKnown(double... rates) {
                return rates.length / 3 >= MIN_INTERVALS;
            }

            /**
             * The mean of the last third divided by the mean of the first, minus one; 0 if there are no thirds or they overlap: unless
             * they are apart, or a few intervals in one of them are far from all others, it may be noise.
             */
            static double of(double... rates) {
                double[] first = third(rates, 1);
                double[] last = third(rates, 3);
                boolean isChange = direction(first, last) != 0 || isStepAtAnEnd(rates);
                return isChange && mean(first) > 0 ? mean(last) / mean(first) - 1 : 0;
            }

            /**
             * The mean of the middle third divided by that of the two others, minus one; 0 unless there are enough intervals, and the middle is
             * apart from both, below or above.
             */
            static double ofMiddle(double... rates) {
                double[] first = third(rates, 1);
                double[] middle = third(rates, 2);
                double[] last = third(rates, 3);
                boolean isApart = direction(first, middle) * direction(middle, last) < 0;
                double others = (mean(first) + mean(last)) / 2;
                return isApart && isKnown(rates) && others > 0 ? mean(middle) / others - 1 : 0;
            }

            /** The intervals of a third, 1 to 3; the middle one has those that are left over. */
            static double[] third(double[] rates, int number) {
                int third = rates.length / 3;
                int from = number == 1 ? 0 : number == 2 ? third : rates.length - third;
                return Arrays.copyOfRange(rates, from, number == 2 ? rates.length - third : from + third);
            }

            static double mean(double... rates) {
                return Arrays.stream(rates).average().orElse(0);
            }

            /**
             * 1 if a later third is above an earlier one by more than noise, -1 if it is below, 0 if they overlap. Speeds that alternate overlap
             * although all fall; their averages over half a third do not.
             */
            private static int direction(double[] earlier, double[] later) {
                double share = rises(earlier, later) / (double) (earlier.length * later.length);
                if (Math.abs(share) >= APART) {
                    return share > 0 ? 1 : -1;
                }
                int third = Math.min(earlier.length, later.length);
                if (third < MIN_INTERVALS_OF_AVERAGES || Math.abs(share) < APART_WITH_AVERAGES) {
                    return 0;
                }
                int half = third / 4 * 2; // even, for speeds that take turns
                DoubleSummaryStatistics lower = averages(share > 0 ? earlier : later, half);
                DoubleSummaryStatistics upper = averages(share > 0 ? later : earlier, half);
                return lower.getMax() > (1 - MAX_VALID_CHANGE) * upper.getMin() ? 0 : share > 0 ? 1 : -1;
            }

            /** The averages of each run of {@code number} consecutive values. */
            private static DoubleSummaryStatistics averages(double[] values, int number) {
                return IntStream.rangeClosed(0, values.length - number)
                        .mapToDouble(from -> mean(Arrays.copyOfRange(values, from, from + number)))
                        .summaryStatistics();
            }

            /** Of all pairs, the number in which the later value is higher, minus those in which it is lower. */
            private static int rises(double[] earlier, double[] later) {
                int rises = 0;
                for (double after : later) {
                    for (double before : earlier) {
                        rises += Double.compare(after, before);
                    }
                }
                return rises;
            }

            /**
             * Whether a few intervals of the first or the last third make the mean another one than that of most of the time, as a step within
             * this third does. Speeds that alternate deviate in all thirds.
             */
            private static boolean isStepAtAnEnd(double... rates) {
                double median = median(rates);
                double all = deviations(rates, median);
                double ofOneEnd = Math.max(deviations(third(rates, 1), median), deviations(third(rates, 3), median));
                return isKnown(rates)
                        && Math.abs(mean(rates) - median) > MAX_VALID_CHANGE * median
                        && ofOneEnd >= OF_DEVIATIONS * all;
            }

            private static double median(double... values) {
                double[] sorted = values.clone();
                Arrays.sort(sorted);
                int middle = sorted.length / 2;
                return sorted.length == 0 ? 0 : (sorted[middle] + sorted[(sorted.length - 1) / 2]) / 2;
            }

            private static double deviations(double[] values, double median) {
                return Arrays.stream(values)
                        .map(value -> Math.abs(value - median))
                        .sum();
            }
        }
    }
}
