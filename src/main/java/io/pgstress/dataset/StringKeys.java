package io.pgstress.dataset;

import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** Ids of any other type, in the server's text representation. */
final class StringKeys implements Keys {
    private final String[] ids;
    private final boolean isText;

    /** @param isText whether the type is text; if not, the server infers it */
    StringKeys(String[] ids, boolean isText) {
        this.ids = ids;
        this.isText = isText;
    }

    @Override
    public int size() {
        return ids.length;
    }

    @Override
    public long checksum() {
        long sum = ids.length;
        for (String id : ids) {
            sum = 31 * sum + id.hashCode();
        }
        return sum;
    }

    @Override
    public void bind(SqlStatement statement, int parameter, int index) throws SQLException {
        if (isText) {
            statement.setText(parameter, ids[index]);
        } else {
            statement.setUntyped(parameter, ids[index]);
        }
    }
}
