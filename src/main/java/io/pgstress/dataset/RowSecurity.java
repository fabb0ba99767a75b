package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Whether policies of row security limit which rows of a table a session sees and may write. */
public final class RowSecurity {
    private static final String POLICIES = """
            select string_agg(p.polname || ' for ' || case p.polcmd
                     when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all'
                   end, ', ' order by p.polname)
            from pg_policy p
            where (0 = any (p.polroles) or exists (select 1 from unnest(p.polroles) r (oid) where pg_has_role(r.oid, 'usage')))
            and p.polrelid = to_regclass(""";

    private RowSecurity() {}

    /**
     * Whether policies of this table apply to the session's role. They apply neither to superusers and roles with BYPASSRLS nor,
     * unless forced, to the owner. False if there is no such table, and before PostgreSQL 9.5, which brought policies.
     */
    public static boolean isActive(Connection connection, TableName table) throws SQLException {
        return ControlSql.isSince(connection, 9, 5)
                && ControlSql.holds(
                        connection,
                        "select coalesce(row_security_active(to_regclass(" + table.literal() + ")::oid), false)");
    }

    /** The policies of a table that apply to the session's role, each with its kind of statements, in words; empty if there are none. */
    public static Optional<String> policies(Connection connection, TableName table) throws SQLException {
        return ControlSql.text(connection, POLICIES + table.literal() + ")");
    }

    /** The role, quoted, whose rights the session's statements have. */
    public static String role(Connection connection) throws SQLException {
        return ControlSql.text(connection, "select quote_ident(current_user)").orElse("");
    }
}
