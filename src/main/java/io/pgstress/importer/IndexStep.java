package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What an import does about the indexes that the metadata of a dump describe, besides those on {@code _id}. */
public interface IndexStep {
    /** Opens the step of one import. */
    @FunctionalInterface
    interface Source {
        /** @param canonical whether documents are canonical Extended JSON */
        IndexStep open(Connector connector, Connection connection, Dialect dialect, boolean canonical);
    }

    /**
     * Reads the metadata of a collection, before its documents are loaded.
     *
     * @param table where its rows will be at the end
     * @param metadata the text of a {@code .metadata.json}; empty if there is none
     * @param notes receives what the user should know, in one line each
     * @return is handed the documents of the collection by any thread, and does not keep the chunks
     */
    Consumer<Chunk> begin(TableName table, String metadata, Consumer<String> notes);

    /**
     * Plans or creates the indexes, after all rows are loaded.
     *
     * @param tables tables that {@link #begin} was called with, and whether a table has, or may have, rows from before
     *     the import
     * @param connections the number of indexes that are created at the same time
     * @param progress receives the progress in words
     * @return the outcome for each table that has indexes
     */
    Map<TableName, List<IndexResult>> finish(Map<TableName, Boolean> tables, int connections, Consumer<String> progress)
            throws SQLException, InterruptedException;

    /** Ends the creation, from another thread. Indexes that exist stay. */
    void cancel();
}
