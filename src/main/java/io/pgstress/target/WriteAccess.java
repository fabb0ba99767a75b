package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ReachedServer;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Whether the sessions of a server may write: none may on a standby, nor where {@code default_transaction_read_only} is on. */
public final class WriteAccess {
    /** The limit for connecting to a node of a cluster that clients do not use, and for its answer. */
    private static final int NODE_SECONDS = 3;

    /** SQLSTATE {@code read_only_sql_transaction}; a standby returns it too. */
    private static final String READ_ONLY = "25006";

    private static final String SETTING = "default_transaction_read_only";

    /** A datanode of Postgres-XL lets its own clients write nothing (transaction_read_only), but coordinators. */
    private static final String SQL = "select pg_is_in_recovery(), current_setting('" + SETTING + "')::boolean,"
            + " coalesce((select source from pg_settings where name = '" + SETTING
            + "'), ''), quote_ident(current_user), quote_ident(current_database())";

    private WriteAccess() {}

    /**
     * Requires that sessions for this purpose may write.
     *
     * @param writer what writes, for the message, in the singular
     * @throws TargetException if the server is a standby or the sessions are read-only; says where that is set
     */
    public static void require(Connector connector, SessionPurpose purpose, String writer) {
        try (Connection session = connector.open(purpose)) {
            require(session, connector.endpoint(), writer);
        } catch (SQLException e) {
            throw Target.unreachable(connector.endpoint(), e);
        }
    }

    /** Requires that this session may write. */
    public static void require(Connection session, Endpoint endpoint, String writer) throws SQLException {
        String obstacle = obstacle(session);
        if (!obstacle.isEmpty()) {
            throw new TargetException(endpoint.masked() + " " + obstacle + ", and " + writer + " writes");
        }
    }

    /**
     * Requires that clients may write on every server of a run, and that its tables can be prepared on the first.
     *
     * @param writer what writes, for the message
     * @throws TargetException if sessions of one, or of a node with a part of the rows, are read-only, or some of them are on a standby
     */
    public static void require(Target target, String writer) {
        require(target.first().connector(), SessionPurpose.CONTROL, writer);
        requireOnNodes(target.first().connector(), target.dialect(), writer);
        requireOneDatabase(target, writer);
        for (Node node : target.nodes()) {
            List<ServerAccess.Reached> servers = node.access().servers();
            servers.stream()
                    .filter(reached -> reached.server().isStandby())
                    .findFirst()
                    .ifPresent(standby -> {
                        throw new TargetException(
                                node.url() + " leads to " + standby.server().name()
                                        + ", which is a standby, and " + writer
                                        + " writes: name the primary alone, or add targetServerType=primary to the URL");
                    });
            require(node.connector(), SessionPurpose.LOAD, writer);
        }
    }

    /** Without a cluster, tables are prepared and checked on the first server, and clients of another one would write elsewhere. */
    private static void requireOneDatabase(Target target, String writer) {
        if (target.dialect().isCluster() || target.nodes().size() < 2) {
            return;
        }
        Database first = Database.of(target.first().connector());
        for (Node node : target.nodes()) {
            if (!Database.of(node.connector()).isSameAs(first)) {
                throw new TargetException(
                        target.first().url() + " and " + node.url() + " are separate databases, and " + writer
                                + " writes to tables that are prepared and checked on the first only: run it on each alone");
            }
        }
    }

    private record Database(ReachedServer server, String name) {
        static Database of(Connector connector) {
            try (Connection lookup = connector.open(SessionPurpose.CONTROL)) {
                String name = ControlSql.first(lookup, "select current_database()", row -> row.getString(1))
                        .orElse("");
                return new Database(ReachedServer.of(lookup), name);
            } catch (SQLException e) {
                throw Target.unreachable(connector.endpoint(), e);
            }
        }

        boolean isSameAs(Database other) {
            return name.equals(other.name) && server.hasDataOf(other.server);
        }
    }

    /**
     * Requires that sessions may write on every node with a part of the rows; passes without a cluster.
     *
     * @param first a node that lists the others
     * @param writer what writes, for the message
     */
    public static void requireOnNodes(Connector first, Dialect dialect, String writer) {
        for (ClusterNode node : nodes(first, dialect)) {
            String obstacle = node.holdsData() ? obstacle(node.connector()) : "";
            if (!obstacle.isEmpty()) {
                throw new TargetException(
                        node.name() + " (" + node.role() + ") " + obstacle + ", and " + writer + " writes");
            }
        }
    }

    private static List<ClusterNode> nodes(Connector first, Dialect dialect) {
        try {
            return ClusterNode.ofCluster(first, dialect);
        } catch (SQLException e) {
            throw Target.unreachable(first.endpoint(), e);
        }
    }

    /** Nothing is known of a node that this machine cannot reach: the other nodes may reach it. */
    private static String obstacle(Connector connector) {
        try (Connection session = connector.open(SessionPurpose.CONTROL.within(NODE_SECONDS, NODE_SECONDS))) {
            return obstacle(session);
        } catch (SQLException unreachable) {
            return "";
        }
    }

    /**
     * A suffix for the message of a statement that the server refused as a write: why sessions may not write; empty if the
     * failure has another cause.
     */
    public static String words(Connector connector, SQLException failure) {
        if (!READ_ONLY.equals(ServerErrors.stateOf(failure))) {
            return "";
        }
        try (Connection lookup = connector.open(SessionPurpose.CONTROL)) {
            String obstacle = obstacle(lookup);
            return obstacle.isEmpty() ? "" : "; " + connector.endpoint().masked() + " " + obstacle;
        } catch (SQLException e) {
            return "; why it is read-only could not be read: " + ServerErrors.sampleOf(e);
        }
    }

    /** Why the session may not write, as the predicate of a sentence about its server; empty if it may. */
    private static String obstacle(Connection session) throws SQLException {
        return ControlSql.first(session, SQL, row -> {
                    if (row.getBoolean(1)) {
                        return "is a standby (pg_is_in_recovery() is true): its data are read-only";
                    }
                    return row.getBoolean(2)
                            ? "has read-only sessions (" + SETTING + " is on, "
                                    + origin(row.getString(3), row.getString(4), row.getString(5)) + ")"
                            : "";
                })
                .orElse("");
    }

    /**
     * Where the setting comes from, and how to change it.
     *
     * @param source as in {@code pg_settings}
     */
    private static String origin(String source, String role, String database) {
        String reset = " reset " + SETTING;
        return switch (source) {
            case "user" -> "set for the role: alter role " + role + reset;
            case "database" -> "set for the database: alter database " + database + reset;
            case "database user" ->
                "set for the role in this database: alter role " + role + " in database " + database + reset;
            case "configuration file", "command line", "environment variable" ->
                "set for the whole server, by its " + source;
            case "client" -> "set by the URL, PGOPTIONS or --set";
            default -> "source: " + source;
        };
    }
}
