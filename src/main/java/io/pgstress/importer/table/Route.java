package io.pgstress.importer.table;

import io.pgstress.importer.progress.ProgressTable;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables that a collection's rows pass through.
 *
 * @param target where they are meant to be
 * @param table the target itself; of an import of all or nothing a table beside it, until all is there
 * @param load where they are loaded: that table, or one to stage duplicates in
 */
public record Route(TableName target, TableName table, TableName load) {
    private static final String ATOMIC = "_atomic";
    private static final String STAGING = "_import";

    static Route of(TableName target, TableRules rules) {
        TableName table = rules.atomic() ? with(target, ATOMIC) : target;
        boolean staged = rules.stages();
        return new Route(target, table, staged ? with(table, STAGING) : table);
    }

    private static TableName with(TableName name, String suffix) {
        return new TableName(name.schema(), name.name() + suffix);
    }

    /** The tables beside the target, which are dropped when they have done their work. */
    List<TableName> beside() {
        return Stream.of(table, load).filter(t -> !t.equals(target)).distinct().toList();
    }

    /**
     * Whether such a table is there of an import that was cut off. A collection that happens to have such a name, and was cut off
     * itself, is not.
     */
    static boolean isOfAnImport(Connection connection, TableName beside) throws SQLException {
        return ProgressTable.isTemporary(connection, beside);
    }

    boolean isStaged() {
        return !load.equals(table);
    }

    /** The longest name among them and the copy table's, unquoted. */
    String longest() {
        String copy = target.copy().name();
        return load.name().length() > copy.length() ? load.name() : copy;
    }
}
