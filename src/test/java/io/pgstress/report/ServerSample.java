package io.pgstress.report;

import io.pgstress.result.Explained;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.StatementRoute;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the servers of a sample run counted, and where its statements went. */
final class ServerSample {
    private ServerSample() {}

    static ServerProfile profile() {
        Map<String, Long> waits = new LinkedHashMap<>();
        waits.put("active: CPU", 400L);
        waits.put("idle: Client/ClientRead", 550L);
        waits.put("active: IO/WALSync", 50L);
        return new ServerProfile(
                waits,
                1000,
                new TreeMap<>(Map.of("xact_commit", 40_012.0, "blks_hit", 160_000.0, "deadlocks", 12.0)),
                List.of(new ServerProfile.ServerStatement(
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
                List.of(new ServerProfile.HostProfile(
                        "a",
                        "worker",
                        0.625,
                        2.25,
                        12.5,
                        123.4,
                        3.75,
                        List.of(new ServerProfile.HostSample(0, 2, 0.625, 2.25, 12.5, 123.4, 3.75)))),
                List.of("pg_stat_io: no right to read it"),
                explained());
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
