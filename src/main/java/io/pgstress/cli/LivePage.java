package io.pgstress.cli;

import io.pgstress.measure.Phase;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.report.page.LiveServer;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Serves the page of a run if {@code --live} asks for it, until it is closed; otherwise does nothing. */
public final class LivePage implements RunListener, AutoCloseable {
    private final @Nullable LiveServer server;

    private LivePage(@Nullable LiveServer server) {
        this.server = server;
    }

    /**
     * Starts the server, and prints its address.
     *
     * @throws InvalidPlanException if it cannot listen there
     */
    public static LivePage open(Options options, Streams streams) {
        Optional<Integer> port = options.get(ReportOptions.LIVE);
        if (port.isEmpty()) {
            return new LivePage(null);
        }
        try {
            LiveServer server =
                    LiveServer.start(options.get(ReportOptions.LIVE_HOST).orElse(""), port.get());
            streams.err().println("stress: live page at " + server.url());
            return new LivePage(server);
        } catch (IOException e) {
            throw new InvalidPlanException("--live: " + e.getMessage());
        }
    }

    @Override
    public void begins(RunResult known) {
        if (server != null) {
            server.begins(known);
        }
    }

    @Override
    public void phase(Phase phase, double seconds) {
        if (server != null) {
            server.phase(phase.label(), seconds);
        }
    }

    @Override
    public void interval(IntervalResult result) {
        if (server != null) {
            server.interval(result);
        }
    }

    /** Shows the result that the reports show. */
    public void ends(RunResult result) {
        if (server != null) {
            server.ends(result);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
