package io.pgstress.cli;

import io.pgstress.compare.Climber;
import io.pgstress.compare.Measurement;
import io.pgstress.compare.StepStability;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.measure.Phase;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.CommandSession;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Stop.StopCause;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs the steps of a search, each until its throughput is precise enough or its time is over. */
public final class TuneSteps implements Climber.Steps {
    private final CommandSession session;
    private final RunSpec first;
    private final LoadPart load;
    private final Consumer<Measurement> listener;

    /** @param first the run; each step changes its number of clients */
    public TuneSteps(CommandSession session, RunSpec first, LoadPart load, Consumer<Measurement> listener) {
        this.session = session;
        this.first = first;
        this.load = load;
        this.listener = listener;
    }

    @Override
    public Measurement measure(int clients) throws InterruptedException {
        RunSpec spec = first.withClients(clients);
        StepStability levels = new StepStability();
        RunResult result = load.runWhole(prepare(spec), new RunListener() {
            @Override
            public void settled(Phase phase, Supplier<IntervalResult> interval) {
                if (phase == Phase.MEASURE
                        && levels.isEnoughAfter(interval.get().opsPerSecond())) {
                    load.endMeasurement(StopCause.MEASURED_ENOUGH);
                }
            }
        });
        Measurement measurement = Measurement.of(clients, result, spec.phases().interval());
        listener.accept(measurement);
        return measurement;
    }

    private PreparedRun prepare(RunSpec spec) throws InterruptedException {
        try {
            return session.prepareLoad(spec);
        } catch (InterruptedCommandException e) {
            throw new InterruptedException("stopped"); // the steps before this one are reported
        }
    }
}
