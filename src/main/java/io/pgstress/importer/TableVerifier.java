package io.pgstress.importer;

import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Compares tables with the input after their rows are loaded. */
@FunctionalInterface
public interface TableVerifier {
    /** Compares the tables, and records what it found in each by {@link TableImport#verified}. */
    void verify(List<TableImport> tables, Connector connector, ImportOptions options, ImportListener listener)
            throws SQLException, IOException, InterruptedException;
}
