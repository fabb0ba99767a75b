package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.cli.Ended;
import io.pgstress.cli.Version;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Child;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Three agents, {@code h1} to {@code h3}, in JVMs of their own, and commands that use them. */
final class ThreeAgents implements AutoCloseable {
    static final int HOSTS = 3;

    /** Those of all tests of this JVM that leave them alive. */
    private static final class Shared {
        private static final ThreeAgents AGENTS = start();

        private static ThreeAgents start() {
            try {
                Path directory = Files.createTempDirectory("three-agents");
                ThreeAgents agents = new ThreeAgents(directory);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(agents, directory)));
                return agents;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private static void end(ThreeAgents agents, Path directory) {
            agents.close();
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
                Files.delete(directory);
            } catch (IOException e) {
                System.err.println(directory + " was not deleted: " + e);
            }
        }
    }

    private final Path directory;
    private final String join;
    private final List<Child> agents = new ArrayList<>();

    /** Agents that several test classes use, one after another. They end with this JVM, and nobody else ends them. */
    static ThreeAgents shared() {
        return Shared.AGENTS;
    }

    /** Returns when all agents wait for commands. */
    ThreeAgents(Path directory) throws IOException, InterruptedException {
        this(directory, List.of(Map.of(), Map.of(), Map.of()));
    }

    /**
     * @param environments further environment variables, by agent
     * @param options of all agents
     */
    ThreeAgents(Path directory, List<Map<String, String>> environments, String... options)
            throws IOException, InterruptedException {
        this.directory = directory;
        List<Integer> ports = TestHost.freePorts(HOSTS);
        this.join = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        for (int i = 0; i < HOSTS; i++) {
            List<String> arguments = new ArrayList<>(List.of("agent", "--name", "h" + (i + 1), "--join", join));
            arguments.addAll(List.of("--listen", "127.0.0.1:" + ports.get(i)));
            arguments.addAll(List.of(options));
            agents.add(new Child(directory, environments.get(i), arguments.toArray(String[]::new)));
        }
        for (Child agent : agents) {
            agent.awaitErr("waits for commands");
            assertThat(agent.err()).contains("waits for commands");
        }
    }

    /** The addresses of all agents. */
    String join() {
        return join;
    }

    Child agent(int host) {
        return agents.get(host);
    }

    /** Ends a command line with the options that make it use the agents. */
    String[] with(String... line) {
        return Runs.words(String.join(" ", line), "--agents " + HOSTS + " --join " + join);
    }

    /** Runs a command on the agents, in this process. */
    Ended stress(String... arguments) {
        return Ended.stress(with(arguments));
    }

    /** Runs a load on the agents; its figures may be useless on a busy machine, and nothing else may be wrong. */
    RunResult run(String... arguments) throws IOException {
        return (RunResult) result(arguments);
    }

    /** The result of a command on the agents. */
    Result result(String... arguments) throws IOException {
        Path json = Files.createTempFile(directory, "result", ".json");
        Ended ended = stress(String.join(" ", arguments), "--json " + json);
        assertThat(ended.code()).as(ended.err() + said()).isIn(0, 1, 5);
        return ResultFile.read(json);
    }

    /**
     * Looks for three free agents as another command that waits for 2 s, and does not find one.
     *
     * @param tls that of the command; null: none
     * @param reason follows in its message
     */
    void assertNoneIsFree(@Nullable SSLContext tls, String reason) throws IOException {
        int port = TestHost.freePorts(1).get(0);
        String seeds = join + ",127.0.0.1:" + port; // so that it does not wait for others to begin a group
        GroupSettings settings = new GroupSettings(
                "other",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                List.of(seeds.split(",", -1)),
                tls,
                false);
        try (Fleet command = new Fleet(settings, Version.number(), HOSTS, 0, false)) {
            assertThatThrownBy(() -> command.open(TimeUnit.SECONDS.toNanos(2), () -> false))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("--agents: 3 are needed, and none is free; ")
                    .hasMessageContaining(reason);
        }
    }

    /** The number of sessions of all commands and agents in a database. */
    long sessions(String url) {
        return TestServer.number(
                url,
                "select count(*) from pg_stat_activity where application_name like 'pgstress%'"
                        + " and datname = current_database() and pid <> pg_backend_pid()");
    }

    /** What the agents have said. */
    String said() {
        return agents.stream().map(Child::err).collect(Collectors.joining());
    }

    @Override
    public void close() {
        agents.forEach(Child::close);
    }
}
