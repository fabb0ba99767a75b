package io.pgstress.importer;

import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Single documents that the server refused without saying that they are at fault. They become rejects once it accepts another
 * document, or at the end of their chunk. If too many are refused in a row, the cause is something else. Used by one thread.
 */
final class SuspectDocuments {
    /** A document of a chunk, and the server's error. */
    record Refused(int document, SQLException why) {}

    static final int MAX_IN_A_ROW = 100;

    private final List<Refused> open = new ArrayList<>();
    private int row;

    /** @throws TargetException if so many are refused in a row that the documents cannot be the cause */
    void add(int document, SQLException why) {
        open.add(new Refused(document, why));
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

    /** Notes that the server accepted a document, so those before it are at fault. */
    void accepted() {
        row = 0;
    }

    /** Removes and returns the suspects. */
    List<Refused> takeAll() {
        List<Refused> taken = List.copyOf(open);
        open.clear();
        return taken;
    }
}
