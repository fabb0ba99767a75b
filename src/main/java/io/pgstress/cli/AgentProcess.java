package io.pgstress.cli;

import io.pgstress.fleet.Agent;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.interrupt.Part;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The process of an agent, which waits for commands until a signal ends it. */
public final class AgentProcess {
    private AgentProcess() {}

    /**
     * Returns after a signal.
     *
     * @param version of this program
     */
    public static void run(Options options, RunSpecReader reader, String version, Streams streams)
            throws InterruptedException {
        String name = options.get(FleetOptions.NAME).orElseGet(AgentProcess::hostName);
        GroupSettings settings = FleetOptions.settings(options, name, FleetOptions.PORT);
        deleteAbandonedFiles(streams);
        String passwordCommand = options.get(ServerOptions.PASSWORD_COMMAND).orElse("");
        CountDownLatch end = new CountDownLatch(1);
        try (Agent agent = new Agent(version, new AgentWork(reader, passwordCommand, streams::note), streams::note)) {
            streams.interruption().enter(untilSignal(end));
            agent.open(settings);
            streams.note("agent " + name + " waits for commands on "
                    + settings.listen().getAddress().getHostAddress() + ":"
                    + settings.listen().getPort()
                    + (settings.tls() == null ? ", without TLS" : ", with TLS"));
            end.await();
        } catch (IllegalArgumentException e) {
            throw new TargetException("--join: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new TargetException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void deleteAbandonedFiles(Streams streams) {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            WorkFiles.deleteAbandoned(parent);
        } catch (IOException e) {
            streams.note("files of an earlier agent in " + parent + " were not deleted: " + e.getMessage());
        }
    }

    private static Part untilSignal(CountDownLatch end) {
        return new Part() {
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
}
