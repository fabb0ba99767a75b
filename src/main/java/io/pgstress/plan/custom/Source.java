package io.pgstress.plan.custom;

/**
 * Where something stands in an operations file.
 *
 * @param file its name as it was given
 * @param line from 1
 * @param what {@code operation 'mine', step 'read'}
 */
public record Source(String file, int line, String what) {
    /** One line that names file, line, and what it is about. */
    public String tell(String problem) {
        return file + ":" + line + ": " + what + ": " + problem;
    }

    /** The same file and thing, another line. */
    Source at(int otherLine) {
        return new Source(file, otherLine, what);
    }

    /** A part of it. */
    Source part(String kind, String name, int itsLine) {
        return new Source(
                file, itsLine, what.isEmpty() ? kind + " '" + name + "'" : what + ", " + kind + " '" + name + "'");
    }
}
