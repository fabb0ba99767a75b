package io.pgstress.importer;

import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What an earlier import into a table means for this one.
 *
 * @param done this very input was imported as a whole
 * @param resumed it was so, or was begun and is carried on
 */
record Resumption(boolean done, boolean resumed) {
    private static final Resumption NONE = new Resumption(false, false);

    /**
     * Looks for it in the progress table.
     *
     * @param size of the input in bytes; negative where it is not known
     * @param there whether the target table exists
     * @throws TargetException where what was begun cannot be carried on
     */
    static Resumption of(Connection connection, Route route, long size, boolean there, ImportOptions options)
            throws SQLException {
        if (!options.resume()) {
            return NONE;
        }
        if (there && ProgressTable.knows(connection, route.load(), ProgressTable.DONE, size)) {
            if (size < 0) {
                throw new TargetException("the import into " + route.load()
                        + " is complete, there is nothing to --resume; whether this stream is the same cannot be told");
            }
            return new Resumption(true, true);
        }
        if (ProgressTable.knows(connection, route.load(), ProgressTable.INPUT, size)) {
            return new Resumption(false, true);
        }
        if (there && ProgressTable.isUnderWay(connection, route.load())) {
            throw new TargetException("--resume: the import into " + route.table()
                    + " that was cut off was of another input, or begun by another version of this program, which cuts"
                    + " the input otherwise; resume it with the same, or begin anew without --resume, by --if-exists"
                    + " drop or truncate");
        }
        return NONE;
    }
}
