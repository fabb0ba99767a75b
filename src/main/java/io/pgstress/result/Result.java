package io.pgstress.result;

import java.util.List;
import java.util.stream.Stream;

/** What a command found and a report tells of: its JSON is a file of its own. */
public sealed interface Result permits RunResult, Comparison, Scaling {
    /** The version of the JSON's form. */
    int schema();

    RunResult.Tool tool();

    RunResult.Run run();

    /** Whether a reader may use the figures; {@link #reasons} says why not. */
    boolean valid();

    /** Why the figures may not be used, the gravest reason first; empty where they may, and in results of before there were any. */
    default List<String> reasons() {
        return List.of();
    }

    /** What else to know. */
    List<String> warnings();

    /** The reasons, then the warnings. */
    default List<String> remarks() {
        return Stream.concat(reasons().stream(), warnings().stream()).toList();
    }

    /** How far the figures may be used. */
    default Verdict usability() {
        return !valid() ? Verdict.NOT_VALID : warnings().isEmpty() ? Verdict.VALID : Verdict.VALID_WITH_WARNINGS;
    }
}
