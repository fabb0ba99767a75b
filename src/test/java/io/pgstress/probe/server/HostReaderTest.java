package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineCounters;
import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineWatch;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server's machine, read through SQL. */
final class HostReaderTest {
    private static final long SECOND = 1_000_000_000L;

    private static String url;

    private final Notes notes = new Notes();

    @BeforeAll
    static void makeDatabase() {
        assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the server's machine: only Linux has /proc");
        url = TestServer.freshDatabase("host_watch");
    }

    @Test
    void readsThePropertiesOfAMachineWithManyInterfaces() {
        String interfaces = IntStream.range(0, 30)
                .mapToObj(i -> " veth" + i + ": 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n")
                .collect(Collectors.joining());
        List<String> paths = Environment.paths(new MachineFiles(Map.of("/proc/net/dev", interfaces)));

        ServerLink link = new ServerLink(server(url), new Notes());
        try {
            MachineFiles files = Objects.requireNonNull(new HostReader(link).properties(paths));

            assertThat(files.byPath().keySet()).containsAll(paths).anyMatch(path -> path.contains("/veth29/"));
            assertThat(files.text("/proc/cpuinfo")).isNotEmpty();
            assertThat(files.text(Environment.MAX_CONNECTIONS)).matches("\\d+");
        } finally {
            link.drop();
        }
    }

    @Test
    void processesThatCannotBeReadCostOnlyThemselves() {
        MachineProfile profile = read("name = 'postmaster.pid'");

        assertThat(profile.cpuBusy()).isNotNull();
        assertThat(profile.processCpu()).isNull();
        assertThat(notes.all())
                .extracting(Remark::code, note -> note.figures().get("what"))
                .containsExactly(tuple(RemarkCode.NOT_READABLE, "CPU time of the server's processes"));
    }

    private static ServerList.ObservedServer server(String url) {
        return new ServerList.ObservedServer("s", ServerList.SINGLE, TestServer.connector(url), false, true, null);
    }

    @Test
    void oneFileThatCannotBeReadCostsOnlyItself() {
        MachineProfile profile = read("name in ('/proc/meminfo', '/proc/diskstats')");

        assertThat(profile.diskWriteMbPerSecond()).isNull();
        assertThat(profile.environment()).isNotNull();
        assertThat(profile.environment().memoryBytes()).isNull();
        assertThat(profile.environment().kernel()).isNotNull();
        assertThat(profile.environment().maxConnections()).isPositive();
        assertThat(profile.environment().settings())
                .containsOnlyKeys("fsync", "full_page_writes", "synchronous_commit");
        assertThat(notes.all())
                .extracting(Remark::code, note -> note.figures().get("what"))
                .containsExactly(
                        tuple(RemarkCode.NOT_READABLE, "/proc/diskstats"),
                        tuple(RemarkCode.NOT_READABLE, "/proc/meminfo"));
    }

    /** As memory.pressure of a kernel that was started without it, or with a security module that hides all. */
    @Test
    void filesOfControlGroupsMayBeMissing() {
        MachineProfile profile = read("name ~ '^/sys/fs/cgroup/'");

        assertThat(profile.cpuBusy()).isNotNull();
        assertThat(Objects.requireNonNull(profile.use()).quota()).isNull();
        assertThat(notes.all()).isEmpty();
    }

    @Test
    void figuresDoNotNeedTheProperties() {
        MachineProfile profile = read("name not in ('" + String.join("', '", MachineCounters.FILES_OF_TOTALS) + "')"
                + " and name !~ '^postmaster.pid$|^/proc/\\d+/'");

        assertThat(profile.cpuBusy()).isNotNull();
        assertThat(profile.environment()).isNull();
        assertThat(notes.all())
                .extracting(Remark::code, note -> note.figures().get("what"))
                .containsExactly(tuple(RemarkCode.NOT_READABLE, "machine properties"));
    }

    /** A local server's processes are in this machine's own /proc. */
    @Test
    void roleThatMayNotReadFilesLearnsOfAServerOnThisMachine(@TempDir Path elsewhere) {
        TestServer.execute(url, "drop role if exists host_watcher", "create role host_watcher login");
        String of = url.replaceFirst("user=[^&]*", "user=host_watcher");
        try {
            MachineProfile profile = Objects.requireNonNull(observed(of, Path.of("/proc")));

            assertThat(profile.processCpu()).isNotNull();
            assertThat(Objects.requireNonNull(profile.environment()).maxConnections())
                    .isPositive();
            assertThat(notes.all()).isEmpty();
            assertThat(observed(of, elsewhere)).isNull();
            assertThat(notes.all())
                    .extracting(Remark::code, note -> note.figures().get("what"))
                    .containsExactly(tuple(RemarkCode.RIGHT_MISSING, ServerRight.READ_FILES.figures()));
        } finally {
            TestServer.execute(url, "drop role host_watcher");
        }
    }

    /**
     * Observes a server that may not read some files.
     *
     * @param denied a condition on their name
     */
    private MachineProfile read(String denied) {
        TestServer.execute(url, "drop schema if exists denied cascade", "create schema denied", """
            create function denied.pg_read_file(name text, start bigint, size bigint, missing_ok boolean) returns text
            language plpgsql as $$begin
                if %s then
                    raise insufficient_privilege using
                        message = format('could not open file "%%s" for reading: Permission denied', name);
                end if;
                return pg_catalog.pg_read_file(name, start, size, missing_ok);
            end$$
            """.formatted(denied));
        return Objects.requireNonNull(observed(url + "&currentSchema=denied,pg_catalog", Path.of("/proc")));
    }

    /** @param proc where the processes of this machine seem to be */
    private @Nullable MachineProfile observed(String of, Path proc) {
        ServerLink link = new ServerLink(server(of), notes);
        Timeline timeline = new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
        timeline.start(System.nanoTime());
        MachineWatch host = new MachineWatch("s", "", true, new HostReader(link, proc), timeline::sinceStart);
        try {
            host.start();
            for (long end = System.nanoTime() + 5 * SECOND; host.profile(0, 0) == null && System.nanoTime() < end; ) {
                if (!host.sample()) {
                    return null;
                }
            } // until a tick of the CPUs has passed
            host.end();
            return host.profile(0, 0);
        } finally {
            link.drop();
        }
    }
}
