package io.pgstress.cli;

import io.pgstress.compare.BlockRunner;
import io.pgstress.dataset.Table;
import io.pgstress.importer.BundledData;
import io.pgstress.interrupt.Interruption;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.scenario.Hooks;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Answering;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.SettingsCheck;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the blocks of a comparison on real servers. Servers are looked at and tables read once, before the first block;
 * connections live as long as a block, so that those that wait hold no session of any node. {@link #stop} may be called
 * by any thread.
 */
final class CompareBlocks implements BlockRunner {
    private record Ready(RunSpec spec, Target target, Table table) {}

    private final Servers servers;
    private final Hooks hooks;
    private final RunListener live;
    private final Map<RunSpec, Ready> ready = new HashMap<>();
    private final Map<List<Object>, Table> tables = new HashMap<>();
    private final Target first;
    private volatile @Nullable Runner running;
    private volatile boolean stopped;

    CompareBlocks(Servers servers, Scenario scenario, RunListener live, Interruption interruption)
            throws SQLException, IOException, InterruptedException {
        this.servers = servers;
        this.hooks = scenario.hooks();
        this.live = live;
        this.first = Target.open(complete(scenario.first()));
        if (servers.isEmbedded()) {
            Interruptions.importSample(interruption, first, CompareCommand.NOTHING);
        }
        try {
            setUp(scenario);
        } catch (RuntimeException e) {
            try {
                tearDown();
            } catch (TargetException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    private void setUp(Scenario scenario) {
        sql(hooks.setup(), "setup");
        for (Workload workload : scenario.workloads()) {
            for (Variant variant : workload.variants()) {
                ready.put(variant.spec(), prepare(complete(variant.spec())));
            }
        }
    }

    private RunSpec complete(RunSpec spec) {
        return spec.endpoints().isEmpty() ? servers.complete(spec, BundledData.DEFAULT_TABLE) : spec;
    }

    /** What tells apart runs on tables of their operations' own. */
    private static String ownOf(RunSpec spec) {
        return Operations.needsTable(spec) ? "" : spec.mixLabel();
    }

    private Ready prepare(RunSpec spec) {
        Target target = Target.open(spec);
        Connections.check(target, spec);
        SettingsCheck.check(target, spec.settings());
        List<Object> key = List.of(
                spec.endpoints().get(0).url(),
                spec.table(),
                ownOf(spec),
                spec.operation().keySample(),
                spec.seed());
        Table table = tables.get(key);
        if (table == null) {
            table = Operations.table(spec, target);
            tables.put(key, table);
        }
        return new Ready(spec, target, table);
    }

    @Override
    public RunResult run(Variant variant) throws InterruptedException {
        Ready block = ready.get(variant.spec());
        if (block == null) {
            throw new IllegalArgumentException("not prepared: " + variant.name());
        }
        Answering.check(block.target);
        sql(hooks.reset(), "reset");
        Runner runner = new Runner(block.spec, block.target, block.table, live);
        running = runner;
        if (stopped) {
            throw new InterruptedException("stopped");
        }
        try {
            return withServerSettings(block, runner);
        } catch (SQLException e) {
            throw new TargetException("--alter-system: " + e.getMessage(), e);
        } finally {
            running = null;
        }
    }

    private static RunResult withServerSettings(Ready block, Runner runner) throws SQLException, InterruptedException {
        AlteredSettings altered = ServerSettingsOfRun.apply(block.spec, block.target);
        RunResult result;
        try (altered) {
            result = runner.run();
        }
        if (!altered.failures().isEmpty()) {
            throw new TargetException(String.join("; ", altered.failures()));
        }
        return result;
    }

    /** Ends the block under way. */
    void stop() {
        stopped = true;
        Runner runner = running;
        if (runner != null) {
            runner.stop(Runner.INTERRUPTED);
        }
    }

    /** Ends the block under way without waiting for its operations. */
    void abort() {
        stopped = true;
        Runner runner = running;
        if (runner != null) {
            runner.abort();
        }
    }

    /** The block under way; null between two. */
    @Nullable
    Runner running() {
        return running;
    }

    /** Runs what is to be run at the end. */
    void tearDown() {
        sql(hooks.teardown(), "teardown");
    }

    private void sql(List<String> texts, String hook) {
        if (texts.isEmpty()) {
            return;
        }
        try (Connection connection = first.first().connector().openControl();
                Statement statement = connection.createStatement()) {
            for (String text : texts) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new TargetException("hooks." + hook + ": " + e.getMessage(), e);
        }
    }
}
