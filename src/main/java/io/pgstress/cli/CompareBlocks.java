package io.pgstress.cli;

import io.pgstress.compare.Comparer.BlockRunner;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.scenario.Hooks;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.RunResult;
import io.pgstress.runner.CommandSession;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.RunListener;
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the blocks of a comparison on real servers. All variants are prepared before the first block. Connections are closed after
 * each block, so waiting variants hold no sessions.
 */
public final class CompareBlocks implements BlockRunner {
    private final CommandSession session;
    private final Hooks hooks;
    private final LoadPart load;
    private final Map<RunSpec, PreparedRun> prepared = new HashMap<>();
    private final Target first;

    /** Runs the setup hooks and prepares all variants. If that fails, it runs the teardown hooks. */
    public CompareBlocks(CommandSession session, Scenario scenario, LoadPart load) throws InterruptedException {
        this.session = session;
        this.hooks = scenario.hooks();
        this.load = load;
        this.first = session.connect(scenario.first());
        try {
            sql(hooks.setup(), "setup");
            for (Workload workload : scenario.workloads()) {
                for (Variant variant : workload.variants()) {
                    prepared.put(variant.spec(), session.prepareLoad(variant.spec()));
                }
            }
        } catch (RuntimeException | InterruptedException e) {
            try {
                tearDown();
            } catch (TargetException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    @Override
    public RunResult run(Variant variant) throws InterruptedException {
        PreparedRun block = prepared.get(variant.spec());
        if (block == null) {
            throw new IllegalArgumentException("not prepared: " + variant.name());
        }
        Cluster.check(block.target());
        sql(hooks.reset(), "reset");
        RunResult result;
        CommandSession.Altered altered = session.alterServers(block);
        try (altered) {
            result = load.runWhole(block, RunListener.NONE);
        }
        if (!session.isRestored()) {
            throw new TargetException(
                    "the comparison ends here: its next block would run with the settings of this one");
        }
        return result;
    }

    /** Runs the teardown hooks. */
    public void tearDown() {
        sql(hooks.teardown(), "teardown");
    }

    private void sql(List<String> texts, String hook) {
        if (texts.isEmpty()) {
            return;
        }
        try (Connection connection = first.first().connector().open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            for (String text : texts) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new TargetException("hooks." + hook + ": " + e.getMessage(), e);
        }
    }
}
