package io.pgstress.result;

import java.util.List;
import java.util.stream.Stream;

/** The result of a command, as shown by reports. Its JSON is one file. */
public sealed interface Result permits RunResult, Comparison, Scaling {
    /** Whether the figures of a result may be used. */
    enum Verdict {
        /** They may be used without reservation. */
        VALID,
        /** They may be used with regard to the warnings. */
        VALID_WITH_WARNINGS,
        /** They must not be used; the reasons say why. */
        NOT_VALID
    }

    /** The program that measured, and its JDBC driver. */
    record ToolInfo(String version, String commit, String driver) {}

    /** The version of the JSON format. */
    int schema();

    ToolInfo tool();

    RunInfo run();

    ClientInfo client();

    List<ServerInfo> servers();

    DatasetInfo dataset();

    /** Whether the figures may be used; {@link #reasons} says why not. */
    boolean valid();

    /** Why the figures may not be used, the most serious reason first; empty if they may, and in results of older versions. */
    List<String> reasons();

    /** Warnings that readers of the figures should know. */
    List<String> warnings();

    /** The reasons, then the warnings. */
    default List<String> remarks() {
        return Stream.concat(reasons().stream(), warnings().stream()).toList();
    }

    /** Whether the figures may be used, and with what caution. */
    default Verdict usability() {
        return !valid() ? Verdict.NOT_VALID : warnings().isEmpty() ? Verdict.VALID : Verdict.VALID_WITH_WARNINGS;
    }
}
