package io.pgstress.target.dialect;

import io.pgstress.plan.StatementMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Sessions of Postgres-XL, whose coordinators lend connections to the datanodes from a pool. */
final class XlSessions implements Sessions {
    /**
     * The connection of a datanode loses the path when it is returned to the coordinator's pool. When it is lent again, the
     * path is sent only for statements that are parsed each time, not for those already prepared on it.
     */
    @Override
    public String losesSearchPath(Connection load) throws SQLException {
        return CatalogQueries.holds(
                        load,
                        "select current_setting('persistent_datanode_connections') = 'off'"
                                + " and current_schemas(false) <> '{public}'")
                ? "prepared statements of Postgres-XL find no tables by currentSchema or another search_path of the session; use"
                        + " --statement extended or plain, or set the path for the role (alter role ... set search_path)"
                : "";
    }

    /**
     * Both were observed on Postgres-XL 10r1.1 (docs/clusters.md). With persistent connections, if a parameter routes an
     * insert, the datanode's transaction stays open and is rolled back at the end of the session. Without them, a datanode
     * panics at COMMIT.
     */
    @Override
    public List<String> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        boolean isPersistent =
                CatalogQueries.holds(load, "select current_setting('persistent_datanode_connections') = 'on'");
        if (isPersistent && !isTransaction && mode != StatementMode.PLAIN) {
            return List.of(
                    "Postgres-XL with persistent_datanode_connections = on acknowledges inserts by prepared and"
                            + " extended statements and loses them: use --statement plain or --transaction, or turn the setting off");
        }
        if (!isPersistent && isTransaction && mode == StatementMode.PREPARED) {
            return List.of("Postgres-XL's servers panic under prepared inserts in transactions and leave prepared"
                    + " transactions behind: use --statement plain or extended, or leave out --transaction");
        }
        return List.of();
    }

    /**
     * Observed on Postgres-XL 10r1.1 (docs/clusters.md): with snapshots of their own, coordinators do not know of each other's
     * transactions, and both versions of an updated row can stay visible.
     */
    @Override
    public List<String> updateHazards(Connection load, int coordinators) throws SQLException {
        return coordinators > 1
                        && CatalogQueries.holds(
                                load, "select current_setting('global_snapshot_source') = 'coordinator'")
                ? List.of(
                        "Postgres-XL with global_snapshot_source = coordinator can keep the old version of a row that is updated"
                                + " through several coordinators, so that its id is in the table twice: use one coordinator, or"
                                + " global_snapshot_source = gtm")
                : List.of();
    }
}
