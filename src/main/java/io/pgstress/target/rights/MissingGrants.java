package io.pgstress.target.rights;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** The GRANT statements that a role lacks after the server refused it a table or schema. */
public final class MissingGrants {
    /** SQLSTATE {@code insufficient_privilege}. */
    public static final String INSUFFICIENT_PRIVILEGE = "42501";

    private MissingGrants() {}

    /**
     * A suffix for the message of a failure: what an owner must run; empty if the failure has another cause, or the catalog does
     * not show which grant is missing.
     *
     * @param connector connects as the role that was refused
     * @param table what the failed statement reads or creates a table beside
     */
    public static String words(Connector connector, SQLException failure, TableName table) {
        if (!INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(failure))) {
            return "";
        }
        try (Connection lookup = connector.open(SessionPurpose.LOOKUP);
                Statement statement = lookup.createStatement();
                ResultSet row = statement.executeQuery(sql(ServerErrors.sampleOf(failure), table))) {
            String grants = row.next() ? row.getString(1) : null;
            return grants == null ? "" : "; its owner must run: " + grants;
        } catch (SQLException e) {
            return "; which grant is missing could not be read: " + ServerErrors.sampleOf(e);
        }
    }

    /**
     * The server's message ends with the name of the schema; {@code right()} compares it without patterns. The table is found
     * without {@code to_regclass}, which itself fails without USAGE on the schema.
     */
    private static String sql(String message, TableName table) {
        return String.format(
                Locale.ROOT,
                """
                select string_agg(missing, '; ') from (
                  select format('grant %%s on schema %%I to %%I',
                                case when has_schema_privilege(oid, 'usage') then 'create' else 'usage' end, nspname, current_user)
                  from pg_namespace
                  where right(%1$s, length(nspname) + 1) = ' ' || nspname
                    and not (has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create'))
                  union all
                  select format('grant select on %%I.%%I to %%I', nspname, relname, current_user)
                  from pg_class c join pg_namespace n on n.oid = relnamespace
                  where relname = %2$s and %3$s and relkind in ('r', 'p', 'v', 'm', 'f') and not has_table_privilege(c.oid, 'select')
                ) role (missing)
                """,
                Quoting.literal(message),
                Quoting.literal(table.name()),
                table.schema().isEmpty()
                        ? "pg_table_is_visible(c.oid)"
                        : "nspname = " + Quoting.literal(table.schema()));
    }
}
