package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineProfile;
import io.pgstress.result.Explained;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A run reports the plans, how its sessions planned, and the activity of the server's machine. */
@Slow
final class StatementPlansTest {
    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("run_plans");
        TestServer.table(url, "docs", 2000);
    }

    private static RunResult run(String options) {
        return Runs.run("-t docs -c 1 --warmup 0 -T 0.5 --url " + url, options);
    }

    @Test
    void sessionCountsOnePlanPerStatement() {
        RunResult result = run("-M prepared --set plan_cache_mode=force_custom_plan");

        Explained explained = result.serverProfile().explained();
        OperationResult.StatementResult select =
                result.operations().get("find_first").statements().get("select");
        assertThat(explained.lines())
                .singleElement()
                .asString()
                .startsWith("find_first prepared: Index Scan, custom plan");
        assertThat(explained.customPlans()).isEqualTo(select.callsInAll());
        assertThat(explained.genericPlans()).isZero();
    }

    @Test
    void sessionOfOneOperationReachesNoSixthExecution() {
        RunResult result = run("-M prepared --connect per-transaction");

        assertThat(result.serverProfile().explained().lines())
                .singleElement()
                .asString()
                .startsWith("find_first prepared: Index Scan, custom plan")
                .doesNotContain("sixth");
    }

    @Test
    void unnamedStatementsLeaveNoPlansBehind() {
        assertThat(run("-M extended").serverProfile().explained().customPlans()).isNull();
    }

    @Test
    void explainingUsesNoIdsAndLeavesNoRows() {
        TestServer.execute(url, "drop table if exists docs_copy", "create table docs_copy (like docs including all)");

        RunResult result = run("--op find_insert");

        assertThat(result.operations().get("find_insert").duplicates()).isZero();
        assertThat(result.serverProfile().explained().lines().get(0))
                .contains("insert")
                .contains("one-phase commit");
    }

    @Test
    void reportsTheMachineOfTheServerIfAvailable() {
        assumeLinux();

        ServerProfile profile = run("-T 1.2").serverProfile(); // a session reports its I/O once a second
        MachineProfile host = profile.machines().hosts().get(0);

        assertThat(host.cpuBusy()).isBetween(0.0, 1.0);
        assertThat(host.loadAverage()).isNotNegative();
        assertThat(host.inMbitPerSecond()).isPositive();
        assertThat(Objects.requireNonNull(host.environment()).dataFileSystem()).isNotBlank();
        assertThat(host.environment().maxConnections()).isPositive();
        MachineProfile client = profile.machines().machines().get(0);
        assertThat(client.role()).isEqualTo("client");
        assertThat(Objects.requireNonNull(client.environment()).kernelBoot())
                .as("it is the server's machine")
                .isEqualTo(host.environment().kernelBoot());
        assertThat(client.environment().openFiles()).isPositive();
        assertThat(Objects.requireNonNull(client.use()).cpu().busy()).isBetween(0.0, 1.001);
        assertThat(profile.bottleneck())
                .as(
                        "the shares of server and client of %s",
                        profile.machines().all().stream()
                                .map(MachineProfile::load)
                                .toList())
                .anyMatch(remark -> (remark.code() == RemarkCode.CPU_OF_SHARED_MACHINE
                                || remark.code() == RemarkCode.CPU_OF_SHARED_MACHINE_NOT_FULL)
                        && remark.figures().get("shares") instanceof Map<?, ?> shares
                        && shares.keySet().containsAll(Set.of("server", "client")));
        assertThat(profile.counts().checkpointer()).containsKeys("num_timed", "buffers_written");
        assertThat(profile.counts().io())
                .as("pg_stat_io within the measurement")
                .anyMatch(row -> row.backendType().equals("client backend")
                        && row.counts().containsKey("hits"));
        assertThat(profile.notes()).extracting(Remark::code).doesNotContain(RemarkCode.NOT_READABLE);
    }

    private static void assumeLinux() {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the server's machine: only Linux has /proc");
    }

    @Test
    void machineOfALocalServerIsReadEvenIfItsRoleMayNot() {
        assumeLinux();
        String other = TestServer.freshDatabase("unobserved_machine");
        TestServer.table(other, "docs", 10);
        TestServer.execute(
                other, "drop role if exists watcher", "create role watcher login", "grant select on docs to watcher");
        try {
            RunResult result =
                    Runs.run("-t docs -c 1 --warmup 0 -T 0.3 --url " + other.replace("user=postgres", "user=watcher"));

            assertThat(result.serverProfile().bottleneck())
                    .extracting(Remark::code)
                    .isNotEmpty()
                    .doesNotContain(RemarkCode.MACHINES_NOT_OBSERVED);
        } finally {
            TestServer.execute(other, "drop owned by watcher", "drop role watcher");
        }
    }
}
