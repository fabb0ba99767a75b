package io.pgstress.result;

import java.util.List;
import java.util.stream.Stream;

/** The result of a command, as shown by reports. Its JSON is one file. */
public sealed interface Result permits RunResult, Comparison, Scaling, RateSearch, Rehearsal {
    /** Whether the figures of a result may be used. */
    enum Verdict {
        /** They may be used without reservation. */
        VALID,
        /** They may be used with regard to the warnings. */
        VALID_WITH_WARNINGS,
        /** They must not be used; the reasons say why. */
        NOT_VALID
    }

    Header header();

    Validity validity();

    /** Whether a limit that was requested is exceeded. The figures can be used if the result is valid. */
    boolean exceedsLimit();

    default RunInfo run() {
        return header().run();
    }

    default ClientInfo client() {
        return header().client();
    }

    default List<ServerInfo> servers() {
        return header().servers();
    }

    default DatasetInfo dataset() {
        return header().dataset();
    }

    default boolean valid() {
        return validity().valid();
    }

    default List<Remark> reasons() {
        return validity().reasons();
    }

    default List<Remark> warnings() {
        return validity().warnings();
    }

    /** The reasons, then the warnings. */
    default List<Remark> remarks() {
        return Stream.concat(reasons().stream(), warnings().stream()).toList();
    }

    /** Whether the figures may be used, and with what caution. */
    default Verdict usability() {
        return !valid() ? Verdict.NOT_VALID : warnings().isEmpty() ? Verdict.VALID : Verdict.VALID_WITH_WARNINGS;
    }
}
