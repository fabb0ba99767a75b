package io.pgstress.plan.custom;

/**
 * A position in an operations file.
 *
 * @param file its name as given
 * @param line from 1
 * @param what {@code operation 'mine', step 'read'}
 */
public record Source(String file, int line, String what) {
    /** A message on one line: file, line, the part concerned, and the problem. */
    public String message(String problem) {
        return file + ":" + line + ": " + what + ": " + problem;
    }

    /** The same part on another line. */
    Source at(int otherLine) {
        return new Source(file, otherLine, what);
    }

    /** A part of this one. */
    Source part(String kind, String name, int itsLine) {
        return new Source(
                file, itsLine, what.isEmpty() ? kind + " '" + name + "'" : what + ", " + kind + " '" + name + "'");
    }
}
