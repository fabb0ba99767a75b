package io.pgstress.target.driver;

/**
 * What a connection is for. Connections of the load have the statement mode, the settings and a counter of their bytes. Control
 * connections (facts, resets, DDL) have none of these, except the search path: a name must mean the same table as it does to the
 * clients.
 *
 * @param isLoad whether it has the properties of the load's connections; otherwise those of control connections
 * @param hasSettings whether it has the settings of the run; of these, a control connection has the search path
 * @param connectSeconds the time limit for all of connecting, which may take several answers, unless the URL sets another one; 0:
 *     that of the driver
 * @param answerSeconds the time limit for each later answer, after which the statement fails, the connection is closed and {@link
 *     ServerErrors#isTimeout} is true; 0: none
 * @param limitsLocks whether its statements wait for a lock for a limited time
 */
public record SessionPurpose(
        boolean isLoad, boolean hasSettings, int connectSeconds, int answerSeconds, boolean limitsLocks) {
    /** The name of a load's sessions on the server ({@code application_name}). */
    static final String LOAD_NAME = "pgstress";

    /** The names of the sessions of agents begin with this; see {@link Connector#naming}. */
    public static final String AGENT_NAME = LOAD_NAME + " agent ";

    /** A condition on {@code pg_stat_activity}: the sessions of loads. */
    public static final String IS_OF_LOAD = "application_name ~ '^" + LOAD_NAME + "( agent |$)'";

    /** Maximum seconds for connecting to a server that has not stalled. */
    private static final int CONNECT_SECONDS = 10;

    /** Maximum seconds for an answer about the server itself. */
    private static final int LOOKUP_SECONDS = 30;

    /** A client of the load. */
    public static final SessionPurpose LOAD = new SessionPurpose(true, true, 0, 0, false);

    /** Finding out how sessions of the load behave: without their settings, and with the time limits of a lookup. */
    public static final SessionPurpose TRIAL = new SessionPurpose(true, false, CONNECT_SECONDS, LOOKUP_SECONDS, false);

    /** Setting up, importing, observing and checking; an answer may take any time. */
    public static final SessionPurpose CONTROL = new SessionPurpose(false, true, CONNECT_SECONDS, 0, false);

    /**
     * DDL. Another session may hold a lock for hours, and on Postgres-XL two waits for locks on two nodes are an undetected
     * deadlock.
     */
    public static final SessionPurpose DDL = new SessionPurpose(false, true, CONNECT_SECONDS, 0, true);

    /**
     * Quick queries of the server's settings and catalog. It does not have the run's search path: a pooler that refuses startup
     * options would refuse it too, and lookups detect this.
     */
    public static final SessionPurpose LOOKUP =
            new SessionPurpose(false, false, CONNECT_SECONDS, LOOKUP_SECONDS, false);

    /** Whether its session is one of those whose servers are reported. */
    boolean isCounted() {
        return isLoad && hasSettings;
    }

    /** A copy with other time limits, in seconds. */
    public SessionPurpose within(int connecting, int answering) {
        return new SessionPurpose(isLoad, hasSettings, connecting, answering, limitsLocks);
    }
}
