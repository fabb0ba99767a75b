package io.pgstress.runner;

/** Why the measurement of a run ended early. */
public enum StopCause {
    /** By the user, who waits for the report. */
    INTERRUPTED("interrupted", true),
    /** By the caller, who needs no more intervals. */
    MEASURED_ENOUGH("throughput is steady", true),
    LOOP_FAILED("an event loop failed: ", true),
    IDS_USED_UP("the ids were used up: use a larger table or a shorter run", false),
    ENDED_IN_WARMUP(
            "all operations ended during the warm-up, so nothing was measured; omit --warmup, or use a larger load",
            false),
    LONG_RESET("resetting the ids took longer than 10 minutes", false),
    CLIENT_FAILED("client failed: ", false),
    FIRST_ERROR("first error, ", false),
    FOREIGN_SESSION("a transaction pooler ran a client's statement in another client's session ", false),
    /** The command that this host works for is silent. */
    COMMAND_LOST("the command that this host works for has been lost", false),
    /** All stress hosts of the run have been lost. */
    HOSTS_LOST("all stress hosts were lost", false),
    /** The run itself failed. */
    ABANDONED("the run was abandoned", false);

    private final String text;
    private final boolean isValid;

    StopCause(String text, boolean isValid) {
        this.text = text;
        this.isValid = isValid;
    }

    /** The cause in words; ends with a space if details follow. */
    String text() {
        return text;
    }

    /** Whether the figures are still valid. */
    boolean isValid() {
        return isValid;
    }
}
