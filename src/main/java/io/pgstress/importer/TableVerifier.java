package io.pgstress.importer;

import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares tables with the input after their rows are loaded. */
@FunctionalInterface
public interface TableVerifier {
    /**
     * Compares the tables, and records what it found in each by {@link TableImport#verified}.
     *
     * @param writer the connection with the open transaction that wrote the tables; null if their rows are committed
     */
    void verify(
            List<TableImport> tables,
            @Nullable Connection writer,
            Connector connector,
            ImportOptions options,
            ImportListener listener)
            throws SQLException, IOException, InterruptedException;
}
