package io.pgstress.extra.indexes;

import io.pgstress.importer.table.ServerName.FreeNames;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Names of indexes: the table's and MongoDB's, unless another table or index has this name. Used by one thread. */
final class IndexNames {
    /** What follows a table's name in the names of the tables that pgstress creates beside it. */
    private static final Set<String> TABLES = Set.of("copy", "import", "atomic");

    private final FreeNames names;

    IndexNames(Connection connection) {
        this.names = new FreeNames(connection);
    }

    /** @param catalog the indexes that the table has; one of them may be the index that is to be named */
    String of(TableName table, String index, String suffix, IndexCatalog catalog) throws SQLException {
        String own = index.replace("\0", "") + suffix;
        String separator = TABLES.contains(own) ? "_index_" : "_";
        return names.of(new TableName(table.schema(), table.name() + separator + own), catalog::has);
    }
}
