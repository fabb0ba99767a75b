package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Parameters with names. */
final class NamedSqlTest {
    @Test
    void detectsSeveralStatements() {
        assertThat(NamedSql.holdsSeveral("select 1; select 2")).isTrue();
        assertThat(NamedSql.holdsSeveral("select 1;;\n -- and no more;\n")).isFalse();
        assertThat(NamedSql.holdsSeveral("select ';', \"a;b\", $$;$$ /* ; */ from t"))
                .isFalse();
    }

    @Test
    void replacesNamesByQuestionMarksInOrder() {
        NamedSql sql = NamedSql.of("select :a, :b2::jsonb, x[1:2] where y = :a");

        assertThat(sql.text()).isEqualTo("select ?, ?::jsonb, x[1:2] where y = ?");
        assertThat(sql.names()).containsExactly("a", "b2", "a");
    }

    @Test
    void ignoresQuotesAndComments() {
        String text = "select ':a', \":b\", $x$ :c $x$ /* :d */ -- :e\n from t";

        assertThat(NamedSql.of(text)).isEqualTo(new NamedSql(text, java.util.List.of()));
    }

    @Test
    void escapesOperatorsWithQuestionMarks() {
        NamedSql sql = NamedSql.of("select data ? :key, '?' from t");

        assertThat(sql.text()).isEqualTo("select data ?? ?, '?' from t");
        assertThat(SqlText.split(sql.text())).containsExactly("select data ? ", ", '?' from t");
    }

    @Test
    void ignoresQuotesWithEscapesAndNestedComments() {
        for (String text : new String[] {
            "select E'it\\'s :x', 1", "select e'\\\\', 2", "/* a /* :b */ :c */ select 3", "select a$b$c from t -- $b$"
        }) {
            assertThat(NamedSql.of(text)).isEqualTo(new NamedSql(text, java.util.List.of()));
        }
        assertThat(NamedSql.of("select type'\\', :a, 'x'").names()).containsExactly("a");
        assertThat(NamedSql.of("select a$b$, :a").names()).containsExactly("a");
    }

    @Test
    void placeholdersOfTablesAreNotParameters() {
        NamedSql sql = NamedSql.of("insert into ${table:log} select :a from ${copy}");

        assertThat(sql)
                .isEqualTo(new NamedSql("insert into ${table:log} select ? from ${copy}", java.util.List.of("a")));
    }
}
