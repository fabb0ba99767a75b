package io.pgstress.cli;

import io.pgstress.fleet.Agent;
import io.pgstress.fleet.Agent.Worker;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.fleet.HostRun;
import io.pgstress.fleet.Message;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.probe.Probes;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.LoadThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** {@code stress agent}: a host of tests on several hosts, which waits for commands until a signal ends it. */
final class AgentCommand extends Command {
    AgentCommand(Streams streams) {
        super(streams, Subcommand.AGENT, FleetOptions.OF_AGENT);
        spec.addSubcommand("keys", new CommandLine(new AgentKeysCommand(streams).spec));
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws InterruptedException {
        problems.throwIfAny();
        String name = options.get(FleetOptions.NAME).orElseGet(AgentCommand::hostName);
        GroupSettings settings = FleetOptions.settings(options, name, FleetOptions.PORT);
        String passwordCommand = options.get(ServerOptions.PASSWORD_COMMAND).orElse("");
        CountDownLatch end = new CountDownLatch(1);
        AgentWork work = new AgentWork(passwordCommand, streams::note);
        try (Agent agent = new Agent(settings, Version.number(), work, streams::note)) {
            streams.interruption().enter(untilSignal(end));
            agent.open();
            streams.note("agent " + name + " waits for commands on "
                    + settings.listen().getAddress().getHostAddress() + ":"
                    + settings.listen().getPort()
                    + (settings.tls() == null ? ", without TLS" : ", with TLS"));
            end.await();
            return ExitCode.DONE;
        } catch (IllegalArgumentException e) {
            throw new TargetException("--join: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new TargetException(String.valueOf(e.getMessage()), e);
        }
    }

    private static CommandPart untilSignal(CountDownLatch end) {
        return new CommandPart() {
            @Override
            public String waitingFor() {
                return "";
            }

            @Override
            public void stop() {
                end.countDown();
            }

            @Override
            public long graceMillis() {
                return 5_000;
            }

            @Override
            public String kept() {
                return "the agent has ended";
            }
        };
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "agent";
        }
    }

    /** An agent's part of a test, as one run of this process. Thread-safe. */
    private static final class AgentWork implements Worker {
        private final String passwordCommand;
        private final Consumer<String> notes;

        /**
         * @param passwordCommand that of this host, instead of the command's; an empty string: none
         * @param notes receives lines for the user of the agent
         */
        AgentWork(String passwordCommand, Consumer<String> notes) {
            this.passwordCommand = passwordCommand;
            this.notes = notes;
        }

        @Override
        public void perform(Message.Work work, HostRun run) throws InterruptedException {
            perform(spec(work), run);
        }

        @Override
        public List<Probe> probes(RunContext run, LoadThreads threads) {
            return Probes.ofClients(run, threads);
        }

        private RunSpec spec(Message.Work work) {
            Map<String, List<String>> options = new LinkedHashMap<>(work.options());
            options.remove(ServerOptions.PASSWORD_COMMAND.name()); // nobody else decides what a shell runs here
            if (!passwordCommand.isEmpty()) {
                options.put(ServerOptions.PASSWORD_COMMAND.name(), List.of(passwordCommand));
            }
            Problems problems = new Problems();
            RunSpec spec = RunOptionsCommand.reader(Operations.of(work.files()))
                    .readWithUnused(options, Purpose.RUN, problems);
            problems.throwIfAny();
            return spec;
        }

        private void perform(RunSpec spec, HostRun run) throws InterruptedException {
            try (CommandSession session =
                    CommandSession.open(spec, Interruption.none(), "", notes, PasswordPrompt.NONE)) {
                PreparedRun prepared = session.prepareLoad(spec);
                Runner runner = new Runner(
                        prepared.spec(), run.named(prepared.target()), prepared.table(), run, RunListener.NONE);
                run.runs(runner);
                run.ended(runner.run());
            }
        }
    }
}
