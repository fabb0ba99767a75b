package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineWatch;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;

/**
 * What the command of a test on several hosts uses of a machine that a server or a host is on, too: otherwise, its process would be one of
 * those that have no part in the test.
 */
final class CommandMachine implements Probe {
    private static final String NAME = "command";

    private final MachineWatch machine;

    CommandMachine(RunContext run) {
        this.machine = new MachineWatch(
                NAME, NAME, ClientMachine.hasLocal(run), new ClientMachine.OwnFiles(), run.timeline()::sinceStart);
    }

    /** Reads what does not change, so that this does not delay the measurement. */
    @Override
    public void start() {
        machine.start();
    }

    @Override
    public void measureStarts() {
        machine.start();
    }

    @Override
    public void measureEnds() {
        machine.end();
    }

    @Override
    public void contribute(Findings findings) {
        Environment environment = machine.environment();
        MachineProfile profile =
                machine.profile(findings.measureStart(), findings.recorded().seconds());
        if (profile != null && environment != null && findings.hasMachine(environment)) {
            findings.otherMachine(NAME, profile);
        }
    }
}
