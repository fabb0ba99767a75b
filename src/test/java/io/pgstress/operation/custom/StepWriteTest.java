package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.Writes.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a step writes according to its text. */
final class StepWriteTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    insert into visits (a) values (1)                          | INSERT | visits     | true
                    insert into s.visits values (1) on conflict do nothing     | INSERT | s.visits   | false
                    /* first */ INSERT INTO "My Table" select 1                | INSERT | "My Table" | false
                    delete from only visits where a = 1                        | DELETE | visits     | false
                    update visits set a = a + 1                                | UPDATE | visits     | false
                    """)
    void countsWritesOfATable(String sql, Kind kind, String table, boolean isRowDue) {
        assertThat(StepWrite.of(sql)).isEqualTo(new StepWrite(kind, table, isRowDue, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1) on conflict (a) do update set a = 2",
                "merge into t using s on true when matched then delete",
                "with gone as (delete from t returning a) select * from gone",
                "call refresh()",
                "/* all */ truncate t",
                "copy t from program 'cat'",
                "explain analyze delete from t",
                "execute p",
                "drop table t",
                "savepoint s",
                "rollback work to savepoint s",
                "prepare transaction 'p'",
                "commit prepared 'p'",
                "set local search_path to b",
                "set schema 'b'",
                "select 1; delete from t"
            })
    void givesAReasonIfWritesCannotBeCounted(String sql) {
        StepWrite write = StepWrite.of(sql);

        assertThat(write).isNotNull();
        assertThat(write.kind()).isNull();
        assertThat(write.why()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from visits where deleted_at is null",
                "with v as (select 1) select * from v",
                "select 'savepoint', 'set search_path' -- set search_path",
                "set statement_timeout = 1",
                "begin; commit and chain",
                "rollback",
                "prepare p as select 1",
                "vacuum visits;"
            })
    void readersWriteNothing(String sql) {
        assertThat(StepWrite.of(sql)).isNull();
    }
}
