package io.pgstress.report;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.result.Explained;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.StatementRoute;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the servers of a sample run counted, and where its statements went. */
final class ServerSample {
    private ServerSample() {}

    static ServerProfile profile() {
        Map<String, Long> waits = new LinkedHashMap<>();
        waits.put("active: CPU", 400L);
        waits.put("idle: Client/ClientRead", 550L);
        waits.put("active: IO/WALSync", 50L);
        return new ServerProfile(
                new ServerCounts(
                        waits,
                        1000,
                        new TreeMap<>(Map.of("xact_commit", 40_012.0, "blks_hit", 160_000.0, "deadlocks", 12.0)),
                        List.of(new ServerCounts.ServerStatement(
                                "a",
                                "select _id, data\n from check_in where _id = $1",
                                40_900,
                                40_900,
                                812.5,
                                19.87,
                                163_600L,
                                0L,
                                0L)),
                        new TreeMap<>(Map.of("wal_bytes", 5_242_880.0, "checkpoints", 0.0)),
                        new TreeMap<>(Map.of("num_requested", 1.0, "buffers_written", 420.0)),
                        List.of(new ServerCounts.IoCounts(
                                "a",
                                "client backend",
                                "relation",
                                "normal",
                                new TreeMap<>(Map.of("reads", 12.0, "hits", 9000.0))))),
                new RunMachines(
                        List.of(machine("a", "worker", use(), 3.75)),
                        List.of(machine(
                                "client",
                                "client",
                                new MachineUse(new CpuUse(0.2, 0.1, 0, 0, 0, 0.5), List.of(), null, null),
                                null)),
                        "the worker's disk dm-0 was busy 95% of the time (12 reads/s, 340 writes/s, 2.5 ms each);"
                                + " CPU: the worker's 63%, the client's 30%",
                        List.of()),
                explained(),
                List.of(new Remark(
                        RemarkCode.RIGHT_MISSING,
                        RemarkCode.Severity.NOTE,
                        Map.of("what", "pg_stat_io"),
                        "pg_stat_io: no right to read it")));
    }

    private static MachineUse use() {
        return new MachineUse(
                new CpuUse(0.4, 0.15, 0.05, 0.1, 0.025, 0.9),
                List.of(new DiskUse("dm-0", true, 12, 340, 0.1, 3.75, 2.5, 0.8, 2.6, 0.95)),
                new InterruptUse(12_000, 0, 0.98, 0.9, 0.3),
                new InterruptUse(8_000, 1, 0.97, 0.4, 0.2));
    }

    private static MachineProfile machine(String node, String role, MachineUse use, @Nullable Double written) {
        double busy = use.cpu().busy();
        return new MachineProfile(
                node,
                role,
                busy,
                2.25,
                12.5,
                123.4,
                written,
                List.of(new MachineProfile.Sample(0, 2, busy, 2.25, 12.5, 123.4, written, use)),
                use,
                new Environment(
                        node + "-kernel",
                        "Sample CPU",
                        2,
                        "performance",
                        1,
                        17_179_869_184L,
                        "madvise",
                        "6.1.0",
                        "none",
                        "tsc",
                        "/dev/mapper/data",
                        "ext4",
                        "rw,noatime",
                        false,
                        null,
                        100,
                        Map.of("fsync", "on", "full_page_writes", "on", "synchronous_commit", "off")),
                busy / 2);
    }

    private static Explained explained() {
        StatementRoute route = new StatementRoute(
                "find_first",
                "select",
                "extended",
                2,
                2,
                2,
                "datanodes",
                List.of("dn1", "dn2"),
                2,
                "unknown",
                "none",
                List.of("Index Scan"),
                null);
        return new Explained(
                List.of("find_first extended: broadcast to 2 of 2 datanodes (bind parameter), Index Scan"),
                List.of(route),
                List.of(
                        new Explained.NodeStatements("dn1", "datanode", 40_900, 0, false, Map.of()),
                        new Explained.NodeStatements("dn2", "datanode", 40_900, 0, false, Map.of())),
                2.0,
                2.0,
                40_895L,
                5L,
                "dn1 40,900, dn2 40,900 statements: 2.00 per operation, as explained (2.00)");
    }
}
