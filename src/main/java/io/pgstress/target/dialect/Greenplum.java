package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.CatalogQueries.KeyPlaces;
import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.dialect.Plans.PlanText;
import io.pgstress.target.dialect.TableStorage.Distribution;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Greenplum and its successor Cloudberry: a coordinator, which takes statements, and segments, which have the rows. Greenplum 6 is
 * PostgreSQL 9.4, and what depends on this version is asked of the connection ({@code ControlSql.isSince}).
 */
final class Greenplum implements Dialect {
    private static final String NODES = """
        select case content when -1 then 'coordinator' else 'seg' || content end,
               case content when -1 then 'coordinator' else 'segment' end, address, port,
               content = -1, content >= 0, content = -1
        from gp_segment_configuration where role = 'p' order by content
        """;

    private final TableOptions options;

    Greenplum() {
        this(TableOptions.DEFAULT);
    }

    private Greenplum(TableOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "greenplum";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return CatalogQueries.holds(connection, "select version() ~ 'Greenplum|Cloudberry'");
    }

    @Override
    public Tables tables() {
        return new GreenplumTables(options);
    }

    @Override
    public Plans plans() {
        return new GreenplumPlans();
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public Dialect with(TableOptions newOptions) {
        return newOptions.equals(new TableOptions(0, 0, newOptions.storage()))
                ? new Greenplum(newOptions)
                : Dialect.super.with(newOptions);
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        return CatalogQueries.nodes(connection, NODES);
    }

    /** A segment refuses sessions except in utility mode, whose setting has another name before version 7. */
    @Override
    public Map<String, String> nodeOptions(Connection connection) throws SQLException {
        return Map.of(ControlSql.isSince(connection, 12, 0) ? "gp_role" : "gp_session_role", "utility");
    }

    /**
     * Each segment counts its own rows, but no updates of columns in append-only tables. Functions have an argument of the row, because Greenplum calls those of constants once, on the
     * coordinator; and a DISTINCT would call them there, too.
     */
    @Override
    public String updateCounter(TableName table) {
        return "select sum(pg_stat_get_tuples_updated(oid)), concat_ws(' ', max(pg_stat_get_db_stat_reset_time((select oid"
                + " from pg_database where datname = current_database()))), max(pg_postmaster_start_time()),"
                + " max(pg_stat_get_bgwriter_stat_reset_time())) from gp_dist_random('pg_class') where oid = "
                + table.literal()
                + "::regclass and not exists (select 1 from pg_appendonly where relid = " + table.literal()
                + "::regclass) having bool_and(current_setting('track_' || left(relname, 0) || 'counts') = 'on')";
    }

    /**
     * Each segment numbers transactions on its own. The next number comes from the table's row in its catalog. Rows of
     * append-only tables have no transaction.
     */
    @Override
    public String newerThanNow(Connection connection, TableName table) throws SQLException {
        String sql = "select string_agg('(gp_segment_id = ' || gp_segment_id || ' and xmin::text::bigint >= '"
                + " || xmin::text::bigint + age(xmin) || ')', ' or ') from gp_dist_random('pg_class') where oid = %1$s::regclass"
                + " and not exists (select 1 from pg_appendonly where relid = %1$s::regclass)";
        return ControlSql.text(connection, sql.replace("%1$s", table.literal())).orElse("");
    }

    @Override
    public List<Remark> changeHazards(Connection load) throws SQLException {
        return CatalogQueries.holds(load, "select current_setting('gp_enable_global_deadlock_detector') = 'off'")
                ? List.of(RemarkCode.GREENPLUM_LOCKS_TABLES.remark())
                : List.of();
    }

    /** Plans of Greenplum. Only the format JSON shows the segments of a statement that changes rows. */
    static final class GreenplumPlans implements Plans {
        private static final Pattern SEGMENTS = Pattern.compile("\"Segments\": (\\d+)");

        @Override
        public String explain() {
            return "explain (verbose, format json) ";
        }

        @Override
        public Layout layout(Connection connection, TableName table) throws SQLException {
            List<String> nodes = CatalogQueries.texts(
                    connection,
                    "select 'seg' || content from gp_segment_configuration where role = 'p' and content >= 0 and exists"
                            + " (select 1 from gp_distribution_policy where localoid = " + table.literal()
                            + "::regclass) order by content");
            return nodes.isEmpty() ? Layout.LOCAL : new Layout("segments", nodes.size(), nodes);
        }

        @Override
        public Footprint read(List<String> plan) {
            OptionalInt most = PlanText.all(plan, SEGMENTS).stream()
                    .mapToInt(Integer::parseInt)
                    .max();
            return new Footprint(most, List.of(), PlanText.scans(plan));
        }
    }

    /** Tables of Greenplum, distributed when they are created. The size functions add up the segments. */
    private record GreenplumTables(TableOptions options) implements Tables {
        /** In the words of {@code DISTRIBUTED}; several columns may decide about a row. */
        private static final String DISTRIBUTION = "select case when policytype = 'r' then 'replicated'"
                + " when columns is null then 'randomly' else 'by' end, coalesce(columns, ''), ''"
                + " from (select policytype, (select string_agg(quote_ident(attname), ', ' order by place)"
                + " from unnest(distkey) with ordinality as key (number, place) join pg_attribute on attnum = number"
                + " and attrelid = localoid) as columns from gp_distribution_policy where localoid = to_regclass(%s)) policy";

        private static final Pattern APPEND_ONLY =
                Pattern.compile("(?i).*\\bappend(only|optimized) *= *(true|on|yes|1)\\b.*");

        @Override
        public List<String> create(TableName table, KeyType key, boolean primaryKey) {
            String create =
                    Tables.super.create(table, key, primaryKey && haveKeys()).get(0) + with(options.storage());
            String distributed = create + " distributed by (_id)";
            return primaryKey && !haveKeys()
                    ? List.of(distributed, "create index on " + table.quoted() + " (_id)")
                    : List.of(distributed);
        }

        private static String with(String storage) {
            return storage.isEmpty() ? "" : " with (" + storage + ")";
        }

        @Override
        public TableStorage storage(Connection connection, TableName table) throws SQLException {
            return Tables.super
                    .storage(connection, table)
                    .with(CatalogQueries.distribution(connection, DISTRIBUTION.replace("%s", table.literal())));
        }

        /** LIKE also copies the storage, but not the distribution. */
        @Override
        public List<String> createLike(TableName copy, TableName table, TableStorage storage) {
            Distribution distribution = storage.distribution();
            String by = distribution.method().isEmpty()
                    ? "by (_id)"
                    : distribution.method()
                            + (distribution.column().isEmpty() ? "" : " (" + distribution.column() + ")");
            List<String> statements = new ArrayList<>(List.of(storage.createLike(copy, table) + " distributed " + by));
            statements.addAll(storage.createParts(copy));
            return statements;
        }

        @Override
        public List<String> createDistributed(String create, TableName table, String column, int shards) {
            return List.of(create + " distributed by (" + column + ")");
        }

        /** Append-only tables have no unique indexes. */
        @Override
        public boolean haveKeys() {
            return !APPEND_ONLY.matcher(options.storage()).matches();
        }

        @Override
        public boolean distributesByKey() {
            return true;
        }

        /** No function returns the segment of a key. */
        @Override
        public long[] partsOfKeys(Connection connection, TableName table, String column, int count)
                throws SQLException {
            return KeyPlaces.byRows(
                    connection,
                    "create temporary table " + KeyPlaces.PROBE + " as select " + column + " from " + table.quoted()
                            + " limit 0 distributed by (" + column + ")",
                    column,
                    "gp_segment_id",
                    count);
        }

        @Override
        public List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
            return CatalogQueries.bytes(
                    connection,
                    "select 'seg' || gp_segment_id, pg_table_size(oid), pg_indexes_size(oid) from gp_dist_random('pg_class')"
                            + " where oid = " + table.literal() + "::regclass order by gp_segment_id");
        }
    }
}
