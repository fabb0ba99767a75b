package io.pgstress.testing;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Table;
import io.pgstress.measure.NanoClock;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.probe.Probes;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.pool.Pools;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs as from the command line. */
public final class Runs {
    /** Reasons against figures of a run that had too little of the machine. */
    private static final Set<RemarkCode> OF_A_BUSY_MACHINE = EnumSet.of(
            RemarkCode.NONE_ENDED,
            RemarkCode.MOSTLY_IDLE,
            RemarkCode.LATE_READINGS,
            RemarkCode.IDLE_CLIENTS,
            RemarkCode.RATE_OF_WINDOW,
            RemarkCode.CLIENT_STARVED,
            RemarkCode.CLIENT_STOOD_STILL_LONG,
            RemarkCode.SERVER_SILENT);

    private Runs() {}

    /** The words of a command line: pieces that begin with an option consist of several, such as {@code "--threads 4 --op find"}. */
    public static List<String> words(String... pieces) {
        List<String> words = new ArrayList<>();
        for (String piece : pieces) {
            words.addAll(piece.startsWith("--") ? List.of(piece.split(" ")) : List.of(piece));
        }
        return words;
    }

    /** The run of these options: {@code "--threads 4 --op find", "--url", url}, also without the dashes. */
    public static RunSpec spec(String... options) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        List<String> words = words(options);
        for (int i = 0; i < words.size(); i += 2) {
            given.computeIfAbsent(words.get(i).replaceFirst("^--", ""), n -> new ArrayList<>())
                    .add(words.get(i + 1));
        }
        return new RunSpecReader(Operations.CATALOG, Pools.names(), Dialects.names()).read(given, Purpose.RUN);
    }

    /** Options of a {@code find_first} on the table {@code docs}, with further ones, which may replace them. */
    public static String[] findFirst(String url, int clients, String... more) {
        List<String> all = new ArrayList<>(
                List.of("url", url, "table", "docs", "op", "find_first", "threads", Integer.toString(clients)));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** Runs to the end. */
    public static RunResult run(String... options) {
        try {
            return runner(spec(options), RunListener.NONE).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Why the result is not valid, apart from what a busy machine explains: for tests of anything but figures. */
    public static List<Remark> reasonsOfTheRunItself(RunResult run) {
        return run.reasons().stream()
                .filter(reason -> !OF_A_BUSY_MACHINE.contains(reason.code()))
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
