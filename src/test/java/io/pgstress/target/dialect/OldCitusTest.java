package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.result.RunResult;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Citus 7.5, whose catalog lacks columns of later versions: all queries of the dialect run on it. */
final class OldCitusTest {
    private static final TableName DOCS = TableName.parse("docs");
    private static final Dialect CITUS = new Citus();
    private static String url;

    @BeforeAll
    static void createCatalog() {
        url = TestServer.freshDatabase("old_citus");
        OldCitus.createIn(url);
        Tables tables = CITUS.with(new TableOptions(4, 1, "")).tables();
        TestServer.execute(url, tables.create(DOCS, KeyType.INT, true).toArray(String[]::new));
        TestServer.execute(url, "insert into docs select i, jsonb_build_object('n', i) from generate_series(1, 50) i");
    }

    @Test
    void listsTheNodes() throws SQLException {
        Target target = Target.open(Runs.spec("-t docs --url " + url));

        assertThat(target.dialect().name()).isEqualTo("citus");
        assertThat(ClusterNode.of(target))
                .extracting(ClusterNode::role, ClusterNode::holdsData)
                .containsExactly(tuple("coordinator", false), tuple("worker", true), tuple("worker", true));
    }

    @Test
    void allCoordinatorsAreThoseWithMetadata() {
        Target target = Target.open(Runs.spec("-t docs --coordinators all -c 4 --url " + url));

        assertThat(target.nodes()).hasSize(2);
    }

    @Test
    void readsShardsSizesAndCounts() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            Layout layout = CITUS.plans().layout(connection, DOCS);
            assertThat(layout.units()).isEqualTo(4);
            assertThat(layout.nodes()).hasSize(2);
            assertThat(CITUS.tables().bytesByNode(connection, DOCS)).allMatch(n -> n.table() > 0 && n.indexes() > 0);
            assertThat(CITUS.tables().partsOfKeys(connection, DOCS, "_id", 20)).doesNotContain(0);
        }
        for (String size : List.of(
                CITUS.tables().totalBytes(DOCS),
                CITUS.tables().heapBytes(DOCS),
                CITUS.tables().indexBytes(DOCS))) {
            assertThat(TestServer.number(url, size)).as(size).isPositive();
        }
        assertThat(TestServer.text(url, CITUS.updateCounter(DOCS))).isNotNull();
    }

    @Test
    void runsOnDistributedTables() {
        RunResult run = Runs.run("-t docs -c 2 --op find_first,find_update --warmup 0 -T 0.3 --url " + url);

        assertThat(run.operations().values())
                .allMatch(o -> o.ok() > 0 && o.errors().isEmpty());
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.serverProfile().explained().routes())
                .isNotEmpty()
                .allMatch(r -> r.error() == null && r.unit().equals("shards"));
    }

    @Test
    void keyThatIsAddedHasANameThatFits() {
        Tables tables = CITUS.tables();

        assertThat(tables.addKey(DOCS))
                .isEqualTo("alter table \"docs\" add constraint \"docs_pkey\" primary key (_id)");
        assertThat(tables.addKey(new TableName("", "ä".repeat(31) + "b")))
                .contains("constraint \"" + "ä".repeat(29) + "_pkey\"");
    }

    @Test
    void commitsInOnePhaseIfTheSettingSaysSo() throws SQLException {
        Dialect transactions = CITUS;
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            assertThat(transactions.commitsInTwoPhases(connection)).isTrue();
            connection.createStatement().execute("set citus.multi_shard_commit_protocol = '1pc'");
            assertThat(transactions.commitsInTwoPhases(connection)).isFalse();
        }
    }

    @Test
    void failureOfAQuerySaysWhatWasAskedOfWhichServer() {
        String broken = TestServer.freshDatabase("broken_citus");
        OldCitus.createIn(broken);
        TestServer.execute(
                broken,
                "set allow_system_table_mods = on",
                "alter table pg_catalog.pg_dist_node rename column hasmetadata to renamed");

        assertThatThrownBy(() -> Target.open(Runs.spec("-t docs --url " + broken)))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith(broken + " answered with an error: column \"hasmetadata\" does not exist;"
                        + " the query was: select nodename || ':' || nodeport, ")
                .hasMessageEndingWith(" (SQLSTATE 42703)");
    }
}
