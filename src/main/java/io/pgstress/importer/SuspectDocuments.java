package io.pgstress.importer;

import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Single documents that the server refused without saying that it is them. They are rejects once it has taken another document, or at
 * their chunk's end; where too many are refused in a row it is not them. Belongs to one thread.
 */
final class SuspectDocuments {
    /** A document of a chunk, and what the server said. */
    record Doubt(int document, SQLException why) {}

    static final int MAX_IN_A_ROW = 100;

    private final List<Doubt> open = new ArrayList<>();
    private int row;

    /** @throws TargetException where so many are refused that it cannot be them */
    void add(int document, SQLException why) {
        open.add(new Doubt(document, why));
        row++;
        if (row >= MAX_IN_A_ROW) {
            open.clear();
            throw new TargetException(
                    "the server refused " + MAX_IN_A_ROW + " documents in a row, one by one, and does not say why: "
                            + ServerErrors.sampleOf(why) + " (SQLSTATE " + ServerErrors.stateOf(why)
                            + "); see its log, and if they are duplicates, use --on-duplicate skip or replace",
                    why);
        }
    }

    /** The server took a document: those before it were refused for themselves. */
    void taken() {
        row = 0;
    }

    /** The documents in doubt, which are so no more. */
    List<Doubt> settle() {
        List<Doubt> settled = List.copyOf(open);
        open.clear();
        return settled;
    }
}
