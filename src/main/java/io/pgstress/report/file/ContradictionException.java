package io.pgstress.report.file;

import io.pgstress.text.TextException;
import java.nio.file.Path;

/** Thrown when figures of a saved result contradict each other, so that none of them can be trusted. */
public final class ContradictionException extends TextException {
    private static final long serialVersionUID = 1;

    /** @param figures the two that contradict each other, in words */
    ContradictionException(Path file, String figures) {
        super(file + ": its figures contradict each other, so it was edited or is damaged: " + figures);
    }
}
