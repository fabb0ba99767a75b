package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables that a collection's rows pass through.
 *
 * @param target the table they belong in
 * @param table the target itself; in an atomic import a temporary table, until everything is loaded
 * @param load the table they are loaded into: {@code table}, or a staging table for duplicates
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

    /** The temporary tables, which are dropped after use. */
    List<TableName> temporaryTables() {
        return Stream.of(table, load).filter(t -> !t.equals(target)).distinct().toList();
    }

    /** The route of a complete import, whose rows are in the target; its progress is recorded under the same name. */
    Route done() {
        return new Route(target, target, load);
    }

    boolean isStaged() {
        return !load.equals(table);
    }

    /** The longest name among these tables and the copy table, unquoted. */
    String longest() {
        String copy = target.copy().name();
        return load.name().length() > copy.length() ? load.name() : copy;
    }
}
