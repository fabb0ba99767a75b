package io.pgstress.testing;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Table;
import io.pgstress.measure.NanoClock;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.OperationCatalog;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.server.ServerEnvironment;
import io.pgstress.plan.server.ServerNames;
import io.pgstress.probe.Probes;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.pool.Pools;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs as from the command line. */
public final class Runs {
    /** Reasons against figures of a run that had too little of the machine. Failed operations have further codes of their own. */
    private static final Set<RemarkCode> OF_A_BUSY_MACHINE = EnumSet.of(
            RemarkCode.NO_SUCCESS,
            RemarkCode.NONE_ENDED,
            RemarkCode.MOSTLY_IDLE,
            RemarkCode.LATE_READINGS,
            RemarkCode.IDLE_CLIENTS,
            RemarkCode.RATE_OF_WINDOW,
            RemarkCode.CLIENT_STARVED,
            RemarkCode.OTHERS_STARVED_CLIENT,
            RemarkCode.OTHERS_FILLED_SEARCH,
            RemarkCode.NOT_STEADY,
            RemarkCode.CLIENT_STOOD_STILL_LONG,
            RemarkCode.SERVER_SILENT);

    /** Options of a run that a busy machine does not make not valid: for tests of anything but figures. */
    public static final String ON_A_BUSY_MACHINE = " --accept "
            + OF_A_BUSY_MACHINE.stream()
                    .map(code -> code.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(","));

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /** The names of the operations on documents. */
    public static final List<String> DOCUMENT_OPERATIONS = Operations.ALL.stream()
            .filter(type -> !type.isSelfContained())
            .map(OperationType::name)
            .toList();

    private Runs() {}

    /** The run of a command line, such as {@code -c 4 --op find}, whose parts may be given one by one. */
    public static RunSpec spec(String line, String... more) {
        return reader().read(options(line, more), Purpose.RUN);
    }

    /** Reads the options of all operations. */
    public static RunSpecReader reader() {
        return reader(Operations.CATALOG, Pools.names(), Dialects.names());
    }

    /** Reads the options of these operations, for servers that the options name in full. */
    public static RunSpecReader reader(OperationCatalog operations, List<String> pools, List<String> targets) {
        ServerNames servers = new ServerNames(new ServerEnvironment(Map.of(), System.getProperty("user.name")));
        return new RunSpecReader(operations, pools, targets, RemarkCode::reasons, servers);
    }

    /** The words of a command line. Quotes are those of a shell. */
    public static String[] words(String... line) {
        return WORD.matcher(String.join(" ", line))
                .results()
                .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
                .toArray(String[]::new);
    }

    /** The texts of a command line's options by their long names. */
    private static Map<String, List<String>> options(String line, String... more) {
        Map<String, Option<?>> known = new HashMap<>();
        for (Option<?> option : reader().options(Purpose.RUN)) {
            known.put("--" + option.name(), option);
            known.put("-" + option.letter(), option);
        }
        Map<String, List<String>> given = new LinkedHashMap<>();
        Iterator<String> words = List.of(words(line, String.join(" ", more))).iterator();
        while (words.hasNext()) {
            String[] word = words.next().split("=", 2);
            Option<?> option = Objects.requireNonNull(known.get(word[0]), "no option: " + word[0]);
            String value = word.length > 1 ? word[1] : option.isFlag() ? "true" : words.next();
            given.computeIfAbsent(option.name(), n -> new ArrayList<>()).add(value);
        }
        return given;
    }

    /** Runs to the end. */
    public static RunResult run(String line, String... more) {
        try {
            return runner(spec(line, more), RunListener.NONE).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs until this many operations have succeeded, however long this machine takes for them.
     *
     * @param line has a duration that is much longer, and short intervals
     */
    public static RunResult runUntil(long ok, String line, String... more) {
        AtomicReference<Runner> runner = new AtomicReference<>();
        AtomicLong soFar = new AtomicLong();
        runner.set(runner(spec(line, more), new RunListener() {
            @Override
            public void interval(IntervalResult interval) {
                if (soFar.addAndGet(interval.counts().ok()) >= ok) {
                    runner.get().stop(StopCause.MEASURED_ENOUGH);
                }
            }
        }));
        try {
            return runner.get().run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Why the result is not valid, apart from what a busy machine explains: for tests of anything but figures. */
    public static List<Remark> reasonsOfTheRunItself(Result run) {
        return run.reasons().stream()
                .filter(reason -> !OF_A_BUSY_MACHINE.contains(reason.code()))
                .toList();
    }

    /** The figures of what the checks of the tables have found by this code; whole numbers are {@code Long}, also those read from JSON. */
    public static List<Map<String, Object>> found(RunResult run, RemarkCode code) {
        return run.dataset().afterwards().stream()
                .filter(remark -> remark.code() == code)
                .map(remark -> {
                    Map<String, Object> figures = new HashMap<>(remark.figures());
                    figures.replaceAll((name, value) -> value instanceof Integer number ? Long.valueOf(number) : value);
                    return figures;
                })
                .toList();
    }

    /** A runner that is ready to run. */
    public static Runner runner(RunSpec spec, RunListener listener) {
        return runner(spec, Target.open(spec), listener);
    }

    /** A runner on open servers. */
    public static Runner runner(RunSpec spec, Target target, RunListener listener) {
        return new Runner(spec, target, table(spec, target), new OneMachine(NanoClock.SYSTEM, Probes::of), listener);
    }

    /** The table of a run. */
    public static Table table(RunSpec spec, Target target) {
        return Operations.table(spec, target, KeyProgress.NONE);
    }
}
