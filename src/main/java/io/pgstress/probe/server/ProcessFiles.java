package io.pgstress.probe.server;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files of {@code /proc} about a server's processes, read one after the other.
 *
 * <p>Sessions may end meanwhile: clients disconnect when a measurement ends. The CPU time of a child that has ended is part of its
 * parent's ({@code cutime} and {@code cstime} of proc(5)). Each child must therefore be counted once, by its own file or by its
 * parent's. This is why the list of children is read again after the postmaster's file: a child that is no longer in it does not
 * count, because the postmaster has its time.
 *
 * @param children {@code stat} of the postmaster's children, a line each, then the machine's CPUs
 * @param postmaster {@code stat} of the postmaster; null if it cannot be read
 * @param pids the children that there still were afterwards
 * @param again {@code stat} of the postmaster after that
 */
record ProcessFiles(
        String children,
        @Nullable String postmaster,
        @Nullable String pids,
        @Nullable String again) {
    static final ProcessFiles NONE = new ProcessFiles("", null, null, null);
    private static final int FILES = 3;

    /** Of a text that has the children's lines, an empty line, and a line for each of the other files. */
    static ProcessFiles copied(String text) {
        int end = text.startsWith("\n") ? 0 : text.indexOf("\n\n") + 1;
        String[] files = text.substring(end).strip().split("\n", FILES);
        return files.length < FILES ? NONE : new ProcessFiles(text.substring(0, end), files[0], files[1], files[2]);
    }

    /** Whether no child ended while the last three files were read. */
    boolean areOfOneMoment() {
        return Objects.equals(waitedFor(postmaster), waitedFor(again));
    }

    /** The children's part of the postmaster's time and the number of page faults, which a child without CPU time has, too. */
    private static @Nullable String waitedFor(@Nullable String stat) {
        if (stat == null) {
            return null;
        }
        String[] fields = stat.substring(stat.lastIndexOf(") ") + 2).strip().split(" ", -1);
        return fields.length < 15 ? stat : fields[8] + " " + fields[10] + " " + fields[13] + " " + fields[14];
    }

    /** The lines of the processes, each of them once. */
    String lines() {
        Set<String> there = Stream.of(
                        Objects.requireNonNullElse(pids, "").strip().split("\\s+", -1))
                .collect(Collectors.toSet());
        Stream<String> alive =
                children.lines().filter(line -> line.startsWith("cpu ") || there.contains(line.split(" ", 2)[0]));
        return Stream.concat(alive, Stream.ofNullable(postmaster).map(String::strip))
                .collect(Collectors.joining("\n"));
    }
}
