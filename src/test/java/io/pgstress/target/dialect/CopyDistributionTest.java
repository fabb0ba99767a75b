package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.dataset.CopyTable;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.TableStorage.Distribution;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The copy of a cluster's table is distributed as the table is: its rows cost the same there. */
final class CopyDistributionTest {
    private static final TableName TABLE = TableName.parse("distributed");
    private static final Distribution NODE_1 = new Distribution("hash", "tenant", "to node (dn1)");

    private static List<String> statements(Dialect dialect, Distribution distribution) {
        return dialect.tables().createLike(TABLE.copy(), TABLE, TableStorage.PLAIN.with(distribution));
    }

    @Test
    void isCreatedWithTheDistributionOfTheTable() {
        assertThat(statements(new PostgresXl(), NODE_1))
                .last()
                .asString()
                .endsWith(" distribute by hash (tenant) to node (dn1)");
        assertThat(statements(new PostgresXl(), new Distribution("replication", "", "to node (dn1, dn2)")))
                .last()
                .asString()
                .endsWith(" distribute by replication to node (dn1, dn2)");
        assertThat(statements(new Citus(), new Distribution("hash", "tenant", "")))
                .last()
                .asString()
                .contains("create_distributed_table(", "'tenant'", "colocate_with");
        assertThat(statements(new Citus(), new Distribution("reference", "", "")))
                .last()
                .asString()
                .contains("create_reference_table(");
        assertThat(statements(new Citus(), Distribution.NONE)).hasSize(1); // a table of the coordinator alone
        assertThat(statements(new Greenplum(), new Distribution("by", "tenant, _id", "")))
                .last()
                .asString()
                .endsWith(" distributed by (tenant, _id)");
        assertThat(statements(new Greenplum(), new Distribution("replicated", "", "")))
                .last()
                .asString()
                .endsWith(" distributed replicated");
        assertThat(statements(new Greenplum(), Distribution.NONE))
                .last()
                .asString()
                .endsWith(" distributed by (_id)");
    }

    /** Without its partitions, a table takes no rows. */
    @Test
    void copyOfAPartitionedTableHasPartitions() {
        TableStorage partitioned = new TableStorage(
                new TableStorage.Form(false, "", "", "", "range (_id)"),
                List.of(new TableStorage.Part(
                        -1, "for values from (0) to (9)", new TableStorage.Form(false, "", "", "", ""))),
                new Distribution("hash", "_id", ""));
        for (Dialect dialect : List.of(new PostgreSql(), new Citus(), new PostgresXl())) {
            assertThat(dialect.tables().createLike(TABLE.copy(), TABLE, partitioned))
                    .as(dialect.name())
                    .anyMatch(sql -> sql.contains(" partition of \"distributed_copy\" for values from (0) to (9)"));
        }
    }

    /** With a table as the catalog of Greenplum 6 has it. */
    @Test
    void distributionIsReadFromTheCatalogOfGreenplum() throws SQLException {
        String url = TestServer.freshDatabase("greenplum_catalog");
        TestServer.execute(
                url,
                "create table gp_distribution_policy (localoid oid, policytype \"char\", numsegments int, distkey int2vector)",
                "create table distributed (tenant int, \"Day\" date, _id int primary key, data jsonb)");

        assertThat(distributionOfGreenplum(url, "'p', 2, '2 1'"))
                .isEqualTo(new Distribution("by", "\"Day\", tenant", ""));
        assertThat(distributionOfGreenplum(url, "'p', 2, ''")).isEqualTo(new Distribution("randomly", "", ""));
        assertThat(distributionOfGreenplum(url, "'r', 2, ''")).isEqualTo(new Distribution("replicated", "", ""));
    }

    private static Distribution distributionOfGreenplum(String url, String policy) throws SQLException {
        TestServer.execute(
                url,
                "delete from gp_distribution_policy",
                "insert into gp_distribution_policy select 'distributed'::regclass, " + policy);
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            return new Greenplum().tables().storage(connection, TABLE).distribution();
        }
    }

    @Test
    void differentDistributionIsADifference() {
        TableStorage replicated = TableStorage.PLAIN.with(new Distribution("replication", "", "to node (dn1, dn2)"));

        assertThat(TableStorage.PLAIN.with(NODE_1).differences(replicated))
                .containsExactly("distribution hash (tenant) to node (dn1)");
        assertThat(replicated.differences(replicated)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CITUS | (_id int primary key, data jsonb) | create_distributed_table('distributed', '_id', shard_count => 3)",
                "CITUS | (tenant int, _id int, data jsonb, primary key (tenant, _id)) | create_distributed_table('distributed', 'tenant')",
                "CITUS | (_id int primary key, data jsonb) | create_distributed_table('distributed', null, colocate_with => 'none')",
                "CITUS | (_id int primary key, data jsonb) | create_reference_table('distributed')",
                "CITUS | (_id int primary key, data jsonb) | 1",
                "POSTGRES_XL | (_id int primary key, data jsonb) distribute by modulo (_id) | 1",
                "POSTGRES_XL | (_id int primary key, data jsonb) distribute by replication | 1",
                "POSTGRES_XL | (_id int, data jsonb) distribute by roundrobin | 1",
                "POSTGRES_XL | (_id int, data jsonb) partition by range (_id) distribute by hash (_id) | 1"
            })
    void isDistributedAsTheTableOfARealClusterIs(String kind, String definition, String distribute)
            throws SQLException {
        String url = System.getenv("PGSTRESS_TEST_" + kind + "_URL");
        assumeTrue(url != null, "PGSTRESS_TEST_" + kind + "_URL names no server");
        TestServer.execute(
                url,
                "drop table if exists distributed, distributed_copy",
                "create table distributed " + definition,
                "select " + distribute);
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            Dialect dialect = Dialects.of(Dialects.AUTO, connection);
            CopyTable copy = new CopyTable(TABLE, KeyType.INT, dialect);
            copy.createFitting(connection);

            assertThat(dialect.tables().storage(connection, TABLE.copy()))
                    .isEqualTo(dialect.tables().storage(connection, TABLE));
            assertThat(copy.differences(connection)).isEmpty();
        } finally {
            TestServer.execute(url, "drop table if exists distributed, distributed_copy");
        }
    }
}
