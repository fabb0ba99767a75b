package io.pgstress.result;

import java.util.List;

/** What a command found and a report tells of: its JSON is a file of its own. */
public sealed interface Finding permits RunResult, Comparison, Scaling {
    /** The version of the JSON's form. */
    int schema();

    RunResult.Tool tool();

    RunResult.Run run();

    /** Whether the figures can be trusted; {@link #warnings} says why not, and what else to know. */
    boolean valid();

    List<String> warnings();
}
