package io.pgstress.importer.table;

import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.TableImport.Route;
import io.pgstress.target.driver.TargetException;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier import into a table means for this one.
 *
 * @param done whether the same input was already imported completely
 * @param resumed whether it is done, or an unfinished import of it is continued
 */
record Resumption(boolean done, boolean resumed) {
    private static final Resumption NONE = new Resumption(false, false);

    /**
     * Decides from the progress of the earlier import.
     *
     * @param earlier its progress; null if there was none
     * @param exists whether the target table exists
     * @throws TargetException if an unfinished import cannot be resumed with this input
     */
    static Resumption of(@Nullable Progress earlier, Route route, InputMark input, long chunkBytes, boolean exists) {
        if (earlier == null) {
            return NONE;
        }
        if (exists && earlier.isComplete(input)) {
            if (input.bytes() < 0) {
                throw new TargetException("the import into " + route.target() + " is complete: there is nothing to"
                        + " --resume; whether this stream is the same input is unknown");
            }
            return new Resumption(true, true);
        }
        if (earlier.isResumable(input, chunkBytes)) {
            return new Resumption(false, true);
        }
        if (exists && earlier.state() != Progress.State.COMPLETE) {
            throw new TargetException("--resume: the unfinished import into " + route.table()
                    + " had another input, or was started by another version of this program, which splits the input"
                    + " differently; resume it with that input and version, or start again without --resume, with"
                    + " --if-exists drop or truncate");
        }
        return NONE;
    }
}
