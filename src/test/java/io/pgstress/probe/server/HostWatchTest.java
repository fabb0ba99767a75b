package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.probe.machine.EnvironmentFiles;
import io.pgstress.probe.machine.MachineFiles;
import io.pgstress.probe.machine.MachineHistory;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server's machine, read through SQL. */
final class HostWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private static String url;

    @BeforeAll
    static void makeDatabase() {
        assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the server's machine: only Linux has /proc");
        url = TestServer.freshDatabase("host_watch");
    }

    @Test
    void readsThePropertiesOfAMachineWithManyInterfaces() throws SQLException {
        String interfaces = IntStream.range(0, 30)
                .mapToObj(i -> " veth" + i + ": 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n")
                .collect(Collectors.joining());
        List<String> paths = MachineHistory.environmentFiles(new MachineFiles(Map.of("/proc/net/dev", interfaces)));

        try (Connection connection = TestServer.connector(url).openControl()) {
            MachineFiles files = HostReader.readWithSettings(connection, paths);

            assertThat(files.byPath().keySet()).containsAll(paths).anyMatch(path -> path.contains("/veth29/"));
            assertThat(files.text("/proc/cpuinfo")).isNotEmpty();
            assertThat(files.text(EnvironmentFiles.MAX_CONNECTIONS)).matches("\\d+");
        }
    }

    @Test
    void figuresDoNotNeedTheProperties() {
        TestServer.execute(url, "create schema denied", """
                create function denied.pg_read_file(name text, start bigint, size bigint, missing_ok boolean) returns text
                language plpgsql as $$begin
                    if name = '/proc/meminfo' then
                        raise insufficient_privilege using message = 'could not open file: Permission denied';
                    end if;
                    return pg_catalog.pg_read_file(name, start, size, missing_ok);
                end$$
                """);
        ServerList.Observed server = new ServerList.Observed(
                "s",
                ServerList.SINGLE,
                TestServer.connector(url + "&currentSchema=denied,pg_catalog"),
                false,
                true,
                null);
        Notes notes = new Notes();
        ServerLink link = new ServerLink(server, notes);
        Timeline timeline = new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
        timeline.start(System.nanoTime());
        HostWatch host = new HostWatch(server, link, timeline);
        try {
            host.start();
            for (long end = System.nanoTime() + 5 * SECOND; host.profile(0) == null && System.nanoTime() < end; ) {
                host.look(); // until a tick of the CPUs has passed
            }

            assertThat(host.profile(0)).isNotNull();
            assertThat(host.history().environment()).isNull();
            assertThat(notes.all())
                    .containsExactly("machine properties of s not readable: could not open file: Permission denied"
                            + " (SQLSTATE 42501)");
        } finally {
            link.drop();
        }
    }
}
