package io.pgstress.plan;

import static io.pgstress.plan.option.Group.LOAD;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Form;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The options of the load and its phases, which all runs have. */
public final class RunLoadOptions {
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);
    private static final Map<ClientThreads, Integer> FIRST_JDK =
            Map.of(ClientThreads.VIRTUAL, 21, ClientThreads.LOOP, 24);

    /** Empty for a search, which finds the number. */
    public static final Option<Optional<Integer>> CLIENTS = Option.of(
                    "clients", "N", unlessAuto(Forms.integer(1, RunOptions.MAX_CLIENTS)))
            .letter("c")
            .byDefault("8")
            .refusedIf(OptionConflicts::clients)
            .help(
                    LOAD,
                    "clients, each with one session",
                    "Each client sends one operation at a time. tune searches for the number.");

    public static final Option<Duration> DURATION = Option.of("duration", "TIME", Forms::positiveDuration)
            .letter("T")
            .byDefault("10s")
            .refusedIf(OptionConflicts::duration)
            .help(LOAD, "duration of the measurement", "In compare, the duration of each block.");

    /** Empty for {@code auto}: until throughput is steady. */
    public static final Option<Optional<Duration>> WARMUP = Option.of(
                    "warmup", "TIME|auto", unlessAuto(text -> Durations.parse(text, "auto, 0 for none,")))
            .byDefault("auto")
            .help(
                    LOAD,
                    "load before the measurement, excluded",
                    "auto: until throughput is steady and the JVM has compiled nearly everything.");

    public static final Option<Duration> WARMUP_LIMIT = Option.of("warmup-limit", "TIME", Durations::parse)
            .byDefault("20s")
            .refusedIf(OptionConflicts::warmupLimit)
            .help(LOAD, "longest automatic warm-up", "It also limits --warmup-executions.");

    public static final Option<Integer> WARMUP_EXECUTIONS = Option.of(
                    "warmup-executions", "N", Forms.integer(0, 1_000_000))
            .byDefault("0")
            .help(LOAD, "warm up until each client ran each op N times");

    public static final Option<Duration> DRAIN = Option.of("drain", "TIME", Durations::parse)
            .byDefault("10s")
            .help(LOAD, "longest wait for operations at the end");

    public static final Option<Duration> INTERVAL = Option.of("interval", "TIME", RunLoadOptions::interval)
            .letter("P")
            .byDefault("1s")
            .help(
                    LOAD,
                    "length of a report interval",
                    "Runs of more than half an hour have 1,800 longer ones by default.");

    /** Empty: a closed loop. */
    public static final Option<List<Double>> RATE = Option.of("rate", "N[,N...]", RunLoadOptions::rates)
            .letter("R")
            .help(
                    LOAD,
                    "open loop: operations per second, or steps",
                    "Several rates run as steps, one after another. Without a rate, the loop is closed: each client sends its next operation when the previous one has ended.");

    public static final Option<Arrival> ARRIVAL = Option.of("arrival", "KIND", Forms.choice(Arrival.class))
            .byDefault("uniform")
            .refusedIf(OptionConflicts::arrival)
            .help(LOAD, "open loop: uniform or poisson");

    public static final Option<Optional<Duration>> STEP = Option.optional("step", "TIME", Forms::positiveDuration)
            .needs(() -> RunLoadOptions.RATE, OptionConflicts.CLOSED)
            .refusedIf(OptionConflicts::step)
            .help(
                    LOAD,
                    "open loop: length of each step of --rate",
                    "Without it, the steps are equal parts of --duration.");

    public static final Option<Duration> RAMP = Option.of("ramp", "TIME", Durations::parse)
            .byDefault("0")
            .needs(() -> RunLoadOptions.RATE, OptionConflicts.CLOSED)
            .refusedIf(OptionConflicts::ramp)
            .help(
                    LOAD,
                    "open loop: rise of the rate, before measuring",
                    "The rate rises from 0 during this part of the warm-up.");

    public static final Option<ThinkTime> THINK = Option.of("think", "TIME|exponential:TIME", ThinkTime::parse)
            .byDefault("0")
            .refusedIf(OptionConflicts::think)
            .help(
                    LOAD,
                    "closed loop: pause between a client's operations",
                    "The pause is fixed, or exponentially distributed with this mean. It is excluded from latencies.");

    public static final Option<ClientThreads> CLIENT_THREADS = Option.of(
                    "client-threads", "KIND", RunLoadOptions::clientThreads)
            .words(Forms.choice(ClientThreads.class).words())
            .byDefault("auto")
            .help(
                    LOAD,
                    "platform, virtual, loop or auto",
                    "virtual needs JDK 21 or newer, loop JDK 24 or newer. auto: by the number of clients and the JDK.");

    /** In the order of the help. */
    static final List<Option<?>> ALL = List.of(
            CLIENTS,
            DURATION,
            RATE,
            WARMUP,
            INTERVAL,
            STEP,
            ARRIVAL,
            RAMP,
            WARMUP_LIMIT,
            WARMUP_EXECUTIONS,
            DRAIN,
            THINK,
            CLIENT_THREADS);

    private RunLoadOptions() {}

    private static <T> Form<Optional<T>> unlessAuto(Form<T> form) {
        return text -> text.equals("auto") ? Optional.empty() : Optional.of(form.read(text));
    }

    private static Duration interval(String text) {
        Duration interval = Forms.positiveDuration(text);
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException("must be at least 100 ms");
        }
        return interval;
    }

    private static List<Double> rates(String text) {
        return text.isEmpty() ? List.of() : Forms.each(RunLoadOptions::rate, List.of(text.split(",", -1)));
    }

    private static double rate(String text) {
        try {
            double rate = Double.parseDouble(text.trim());
            if (rate > 0 && rate <= 1e9) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // reported below, with the numbers out of range
        }
        throw new IllegalArgumentException("must be operations per second above 0, was '" + text + "'");
    }

    private static ClientThreads clientThreads(String text) {
        ClientThreads kind = Forms.choice(ClientThreads.class).read(text);
        int first = FIRST_JDK.getOrDefault(kind, 0);
        if (Runtime.version().feature() < first) {
            throw new IllegalArgumentException(kind.name().toLowerCase(Locale.ROOT) + " needs JDK " + first
                    + " or newer, this is " + Runtime.version().feature());
        }
        return kind;
    }
}
