package io.pgstress.extra.diff;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.importer.ImportListener;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Compares tables with the documents of a dump. One pass over both sides hashes keys and rows; if hashes differ, a second pass
 * over the dump names the documents. Memory is bounded: see {@link RowHashes}. Used by one thread, which may be interrupted.
 */
public final class DumpDiff {
    private final Connector connector;
    private final DiffOptions options;
    private final ImportListener listener;

    public DumpDiff(Connector connector, DiffOptions options, ImportListener listener) {
        this.connector = connector;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Compares every collection of the input.
     *
     * @throws TargetException if a table cannot be read
     * @throws InvalidPlanException if the input has no collection
     */
    public DiffSummary run(DiffInput input) throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        Map<String, String> leftOut = new LinkedHashMap<>();
        List<String> others = List.of();
        Map<String, Comparison> comparisons;
        try (TableSide tables = TableSide.open(connector)) {
            try (MongoDump dump = input.open()) {
                dump.leftOut().forEach(each -> leftOut.put(each.name(), each.reason()));
                comparisons = comparisons(dump, tables);
                others = input.isWhole() ? others(comparisons, tables) : others;
                compare(dump, comparisons, tables);
            }
            name(input, comparisons, tables);
            tables.readingIsDone();
        }
        return DiffSummary.of(
                options.share(),
                comparisons.values().stream().map(Comparison::result).toList(),
                others,
                leftOut,
                (System.nanoTime() - start) / 1e9);
    }

    /** Reads the dump again if documents are to be named, while rows that only the table has are found. */
    private void name(DiffInput input, Map<String, Comparison> comparisons, TableSide tables)
            throws IOException, InterruptedException {
        List<CompletableFuture<Void>> rows = new ArrayList<>();
        comparisons.values().forEach(each -> rows.add(each.nameRows(tables)));
        if (comparisons.values().stream().anyMatch(each -> each.names().needDump())) {
            listener.step("finding the documents that differ");
            try (MongoDump dump = input.open()) {
                dump.read(new NamingPass(comparisons, tables), DumpPass.CHUNK);
            } catch (BsonException e) {
                // the first pass found the fault
            }
        }
        for (Comparison each : comparisons.values()) {
            each.names().compareWaiting(tables);
        }
        for (CompletableFuture<Void> each : rows) {
            tables.await(each);
        }
    }

    private static List<String> others(Map<String, Comparison> comparisons, TableSide tables) throws SQLException {
        List<TableName> compared =
                comparisons.values().stream().map(Comparison::table).toList();
        return tables.beside(compared).stream().map(TableName::toString).toList();
    }

    private Map<String, Comparison> comparisons(MongoDump dump, TableSide tables) throws SQLException {
        if (dump.collections().isEmpty()) {
            throw new InvalidPlanException("there is no collection to compare"
                    + dump.leftOut().stream()
                            .map(each -> "; left out: " + each.name() + ", " + each.reason())
                            .collect(Collectors.joining()));
        }
        TableNames names = new TableNames(dump, options.naming());
        List<String> problems = names.problems(dump.collections());
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        Map<String, Comparison> comparisons = new LinkedHashMap<>();
        for (DumpCollection each : dump.collections()) {
            comparisons.put(each.namespace(), comparison(each, names.of(each), tables));
        }
        return comparisons;
    }

    private Comparison comparison(DumpCollection collection, TableName table, TableSide tables) throws SQLException {
        Comparison without = new Comparison(new Pairing(collection, table, null, KeyForm.TEXT_OF_JSON), options);
        if (!tables.exists(table)) {
            without.note("there is no table " + table);
            return without;
        }
        try {
            return new Comparison(new Pairing(collection, table, tables.keyType(table), tables.form(table)), options);
        } catch (TargetException e) {
            without.failed("nothing was compared: " + e.getMessage());
            return without;
        }
    }

    private void compare(MongoDump dump, Map<String, Comparison> comparisons, TableSide tables)
            throws IOException, InterruptedException {
        ComparingPass pass = new ComparingPass(
                comparisons, tables, documents -> listener.progress(documents, dump.bytesRead(), dump.bytesTotal()));
        try {
            dump.read(pass, DumpPass.CHUNK);
        } catch (BsonException e) {
            comparisons.values().forEach(each -> each.cut(String.valueOf(e.getMessage())));
        }
        for (Comparison each : comparisons.values()) {
            each.end(tables);
        }
    }
}
