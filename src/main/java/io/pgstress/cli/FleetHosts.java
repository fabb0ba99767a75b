package io.pgstress.cli;

import io.pgstress.fleet.Fleet;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.interrupt.Interruption;
import io.pgstress.plan.Phases;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.probe.Probes;
import io.pgstress.runner.Coordination;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs.RunHosts;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs whose clients are on other hosts. Belongs to the command's thread. */
final class FleetHosts implements RunHosts {
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Options own;
    private final List<Option<?>> known;
    private final BooleanSupplier isInterrupted;
    private final GroupSettings settings;
    private @Nullable Fleet fleet;

    /**
     * Opens nothing yet.
     *
     * @param own the command's options, {@link FleetOptions#OF_LOAD} among them
     * @param known the options of runs
     */
    FleetHosts(Options own, List<Option<?>> known, Interruption interruption) {
        this.own = own;
        this.known = known;
        this.isInterrupted = interruption::isRequested;
        this.settings =
                FleetOptions.settings(own, "stress-" + ProcessHandle.current().pid(), 0);
    }

    @Override
    public int count() {
        return own.get(FleetOptions.AGENTS).orElse(1);
    }

    @Override
    public Coordination coordination(PreparedRun run) throws InterruptedException {
        Fleet open = fleet;
        if (open == null) {
            open = new Fleet(
                    settings,
                    Version.number(),
                    count(),
                    own.get(FleetOptions.TOLERATE_LOST),
                    own.get(FleetOptions.SERVER_PER_AGENT));
            fleet = open;
            open.open(MAX_WAIT_NANOS, isInterrupted);
        }
        boolean isPrivate =
                settings.tls() != null || settings.listen().getAddress().isLoopbackAddress();
        return open.coordination(
                count(),
                options(run),
                files(run),
                run.spec(),
                run.target(),
                isPrivate,
                (context, threads) -> Probes.ofCommand(context),
                MAX_WAIT_NANOS,
                isInterrupted);
    }

    /** The options that were given, and those whose default is the command's own, as far as they concern a host. */
    private Map<String, List<String>> options(PreparedRun run) {
        Options all = run.spec().options();
        Map<String, List<String>> texts = new LinkedHashMap<>();
        Map<String, List<String>> every = all.texts();
        for (Option<?> option : known) {
            List<String> text = every.get(option.name());
            if (text != null
                    && concernsHosts(option, run.spec())
                    && (all.isGiven(option) || !text.equals(option.defaults()))) {
                texts.put(option.name(), text);
            }
        }
        return texts;
    }

    /** The number of rounds has determined the duration. A limit of the warm-up without effect is refused if it is given. */
    private static boolean concernsHosts(Option<?> option, RunSpec spec) {
        Phases phases = spec.phases();
        boolean hasOpenWarmup = phases.autoWarmup() || phases.warmupExecutions() > 0;
        return !option.name().equals(RunOptions.ROUNDS.name())
                && !option.equals(ServerOptions.PASSWORD_COMMAND)
                && !RunOptions.STARTED.contains(option)
                && (hasOpenWarmup || !option.name().equals(RunLoadOptions.WARMUP_LIMIT.name()));
    }

    private Map<String, String> files(PreparedRun run) {
        Map<String, String> files = new HashMap<>();
        Map<String, List<String>> texts = run.spec().options().texts();
        for (Option<?> option : known) {
            if (option.isFile()) {
                for (String file : texts.getOrDefault(option.name(), List.of())) {
                    files.put(file, read(file));
                }
            }
        }
        return files;
    }

    private static String read(String file) {
        try {
            return TextFile.read(Path.of(file), TextFile.SMALL);
        } catch (IOException e) {
            throw new TargetException(file + " cannot be read: " + Forms.unreadable(e), e);
        }
    }

    @Override
    public void close() {
        if (fleet != null) {
            fleet.close();
        }
    }
}
