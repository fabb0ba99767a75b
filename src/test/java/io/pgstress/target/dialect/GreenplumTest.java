package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The SQL for Greenplum, never tested on a server: that of PostgreSQL 9.4, with distribution. */
final class GreenplumTest {
    private static final TableName TABLE = TableName.parse("public.check_in");
    private final Dialect greenplum = new Greenplum();

    @Test
    void distributesTablesByTheirKeyWhenCreated() {
        assertThat(greenplum.tables().create(TABLE, KeyType.BIGINT, true))
                .containsExactly(
                        "create table \"public\".\"check_in\" (_id bigint primary key, data jsonb not null default"
                                + " '{}') distributed by (_id)");
        assertThat(greenplum.tables().createLike(TABLE.copy(), TABLE, KeyType.BIGINT))
                .containsExactly(
                        "create table \"public\".\"check_in_copy\" (like \"public\".\"check_in\" including all)"
                                + " distributed by (_id)");
        assertThat(greenplum.tables().createDistributed("create table t (k int)", TableName.parse("t"), "k", 4))
                .containsExactly("create table t (k int) distributed by (k)");
    }

    @Test
    void usesNothingNewerThanPostgres94() {
        List<String> said = new ArrayList<>(greenplum.tables().create(TABLE, KeyType.TEXT, true));
        said.addAll(greenplum.tables().createLike(TABLE.copy(), TABLE, KeyType.TEXT));
        said.add(greenplum.tables().totalBytes(TABLE));
        said.add(greenplum.tables().indexBytes(TABLE));

        assertThat(said)
                .allSatisfy(sql -> assertThat(sql.toLowerCase(java.util.Locale.ROOT))
                        .doesNotContain("on conflict", "tablesample", "if not exists", "generated"));
        assertThat(greenplum.plans().onNodes(TABLE)).isEmpty();
    }
}
