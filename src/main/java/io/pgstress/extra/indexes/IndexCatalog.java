package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Definition;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The indexes that a table has besides its primary key, with their definitions as the server writes them. To compare a new definition, it is created on
 * an empty temporary table of the same columns, and rolled back. Used by one thread.
 */
final class IndexCatalog {
    private static final String PROBE = "stress_index_probe";

    /** What follows the names, which may themselves contain the word. */
    private static final String DEFINITIONS = """
        select c.relname, case when i.indisunique then 'unique ' else '' end
               || substr(d.text, d.head + length(d.tab) + position(d.tab || ' USING ' in substr(d.text, d.head)))
        from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid,
             lateral (select pg_get_indexdef(i.indexrelid) as text, quote_ident(t.relname) as tab,
                             length(quote_ident(c.relname)) + case when i.indisunique then 20 else 13 end as head) d
        where i.indisvalid and not i.indisprimary and i.indrelid = to_regclass(\
        """;

    private final Connection connection;
    private final TableName table;
    private final Map<String, String> definitions;

    IndexCatalog(Connection connection, TableName table) throws SQLException {
        this.connection = connection;
        this.table = table;
        this.definitions = read(table.literal());
    }

    private Map<String, String> read(String literal) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        ControlSql.rows(
                connection,
                DEFINITIONS + literal + ") order by 1",
                row -> found.put(row.getString(1), row.getString(2)));
        return found;
    }

    /** Whether the table has an index of this name. */
    boolean has(String name) {
        return definitions.containsKey(name);
    }

    /** The definition of an index of the table, without its name. */
    String definition(String name) {
        return definitions.getOrDefault(name, "");
    }

    /** The name of the table's index with this definition, preferably {@code name}; empty if there is none. */
    String find(String name, Definition definition) throws SQLException {
        if (definitions.isEmpty()) {
            return "";
        }
        String wanted = probe(definition);
        if (definition(name).equals(wanted)) {
            return name;
        }
        return definitions.entrySet().stream()
                .filter(each -> each.getValue().equals(wanted))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    private String probe(Definition definition) throws SQLException {
        return ControlSql.rolledBack(connection, () -> {
            ControlSql.execute(
                    connection,
                    "create temporary table " + PROBE + " (like " + table.quoted() + ")",
                    definition.sql("", new TableName("", PROBE)));
            return read("'" + PROBE + "'").values().stream().findFirst().orElse("");
        });
    }
}
