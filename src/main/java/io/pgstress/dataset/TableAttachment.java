package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What runs with each write to a table, and {@code LIKE} does not copy. */
public enum TableAttachment {
    POLICY(
            "row security policy",
            "polname",
            "pg_policy a join pg_class c on c.oid = a.polrelid where c.relrowsecurity and a.polrelid",
            5),
    TRIGGER("trigger", "tgname", "pg_trigger a where not a.tgisinternal and a.tgrelid", 0),
    FOREIGN_KEY("foreign key", "conname", "pg_constraint a where a.contype = 'f' and a.conrelid", 0),
    REFERENCE("reference by a foreign key", "conname", "pg_constraint a where a.contype = 'f' and a.confrelid", 0),
    RULE("rule", "rulename", "pg_rewrite a where a.rulename <> '_RETURN' and a.ev_class", 0);

    private final String word;
    private final String name;
    private final String from;
    private final int minor;

    /** @param minor of 9.x, in which the catalog came */
    TableAttachment(String word, String name, String from, int minor) {
        this.word = word;
        this.name = name;
        this.from = from;
        this.minor = minor;
    }

    /** The triggers and rules of tables, which may change what is written to them, in words; empty if there are none. */
    public static Optional<String> namesOf(Connection connection, List<TableName> tables) throws SQLException {
        List<String> found = new ArrayList<>();
        for (TableName table : tables) {
            for (TableAttachment each : List.of(TRIGGER, RULE)) {
                each.names(connection, table)
                        .map(names -> each.word + " " + names + " of " + table)
                        .ifPresent(found::add);
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found.stream().collect(Collectors.joining(", ")));
    }

    String word() {
        return word;
    }

    long count(Connection connection, TableName table) throws SQLException {
        return ControlSql.isSince(connection, 9, minor)
                ? ControlSql.number(connection, "select count(*)" + of(table))
                : 0;
    }

    private Optional<String> names(Connection connection, TableName table) throws SQLException {
        return ControlSql.text(
                connection, "select string_agg(a." + name + "::text, ', ' order by a." + name + ")" + of(table));
    }

    private String of(TableName table) {
        return " from " + from + " = to_regclass(" + table.literal() + ")";
    }
}
