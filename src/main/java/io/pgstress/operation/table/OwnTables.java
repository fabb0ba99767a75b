package io.pgstress.operation.table;

import io.pgstress.dataset.TableMark;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What operations do with tables of their own, on a control connection. Belongs to one thread. */
public final class OwnTables {
    /** The comment on tables that this program created, which may be emptied and recreated. */
    private static final TableMark OURS = new TableMark("made by pgstress");

    /** Precedes the storage parameters in the comment of a table that was created with some. */
    private static final String WITH = " with ";

    /** Tables without an explicit tablespace are in the database's one; new ones are in {@code default_tablespace}. */
    private static final String MADE = """
        select c.relpersistence = 'u', coalesce(s.spcname, d.spcname),
               coalesce(nullif(current_setting('default_tablespace'), ''), d.spcname),
               coalesce((select option_value from pg_options_to_table(c.reloptions)
                         where option_name = 'fillfactor'), '100'),
               array(select attstorage::text from pg_attribute where attrelid = c.oid and attnum > 0
                     and attlen = -1 and not attisdropped)::text
        from pg_class c left join pg_tablespace s on s.oid = c.reltablespace,
             pg_database b join pg_tablespace d on d.oid = b.dattablespace
        where c.oid = to_regclass(%s)::oid and b.datname = current_database()
        """;

    private static final String TEXTS = "select attname from pg_attribute where attrelid = to_regclass(%s)::oid"
            + " and attnum > 0 and attlen = -1 and not attisdropped order by attnum";

    private final Connection control;
    private final OperationType.Context context;

    public OwnTables(Connection control, OperationType.Context context) {
        this.control = control;
        this.context = context;
    }

    public void execute(String... statements) throws SQLException {
        ControlSql.execute(control, statements);
    }

    public long number(String sql) throws SQLException {
        return ControlSql.number(control, sql);
    }

    /** The number of rows of all these tables. */
    public long count(List<String> tables) throws SQLException {
        long rows = 0;
        for (String table : tables) {
            rows += number("select count(*) from " + table);
        }
        return rows;
    }

    /** @param table the table as written in SQL */
    public boolean exists(String table) throws SQLException {
        return number("select count(to_regclass(" + Quoting.literal(table) + "))") > 0;
    }

    /** Whether {@link #create} created the table, in this run or an earlier one. */
    public boolean isOurs(String table) throws SQLException {
        String mark = TableMark.read(control, new TableName("", table));
        return mark.equals(OURS.text()) || mark.startsWith(OURS.text() + WITH);
    }

    /**
     * Whether a table that this program created earlier has other options than now, so that it must be recreated;
     * never where nothing may be changed.
     *
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     * @throws InvalidPlanException if the table belongs to someone else and does not match the options
     */
    public boolean isOther(String table, int number) throws SQLException {
        if (context.isDryRun()) {
            return false;
        }
        boolean isOurs = isOurs(table);
        String difference = difference(table, number, isOurs);
        if (!isOurs && !difference.isEmpty()) {
            throw new InvalidPlanException("table: " + table + " " + difference
                    + " and was not created by this program, which leaves it alone; drop it, or leave out the option");
        }
        return !difference.isEmpty();
    }

    /** Drops a table if it exists and may be changed. */
    public void drop(String table) throws SQLException {
        if (!context.isDryRun()) {
            execute("drop table if exists " + table);
        }
    }

    /**
     * Creates a table, unless it exists and must be kept; returns whether it did. Distributed by the column if the server distributes.
     *
     * @param columns the column definitions
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     */
    public boolean create(String table, String columns, String column, int number) throws SQLException {
        Consumer<String> made = context.made();
        if (made != null) {
            if (exists(table)) {
                return false;
            }
            made.accept("table " + table);
        }
        Options options = context.options();
        String space = tablespace(options, number);
        String sql = "create " + (options.get(WorkloadOptions.UNLOGGED) ? "unlogged " : "") + "table " + table + " ("
                + columns + ")" + with(options)
                + (space.isEmpty() ? "" : " tablespace " + Quoting.identifier(space));
        TableName name = new TableName("", table);
        for (String statement :
                context.dialect().tables().createDistributed(sql, name, column, options.get(WorkloadOptions.SHARDS))) {
            execute(statement);
            if (statement.startsWith(sql)) { // before it is distributed
                execute(storage(table).toArray(String[]::new));
            }
        }
        execute(mark(options).sql(name));
        return true;
    }

    /** The requested tablespace; empty if none was. */
    private static String tablespace(Options options, int number) {
        List<String> spaces = options.get(WorkloadOptions.TABLESPACES);
        return spaces.isEmpty() ? "" : spaces.get(Math.max(0, number - 1) % spaces.size());
    }

    /** The part of {@code create table} that follows the columns; empty if nothing was requested. */
    private static String with(Options options) {
        int fillfactor = options.get(WorkloadOptions.FILLFACTOR);
        String parameters = Stream.of(
                        fillfactor == 100 ? "" : "fillfactor = " + fillfactor, options.get(WorkloadOptions.WITH))
                .filter(parameter -> !parameter.isEmpty())
                .collect(Collectors.joining(", "));
        return parameters.isEmpty() ? "" : " with (" + parameters + ")";
    }

    private static TableMark mark(Options options) {
        String with = options.get(WorkloadOptions.WITH);
        return with.isEmpty() ? OURS : new TableMark(OURS.text() + WITH + with);
    }

    /** The statements that set the requested storage of a new table's texts. */
    private List<String> storage(String table) throws SQLException {
        Optional<WorkloadOptions.Storage> asked = context.get(WorkloadOptions.STORAGE);
        return asked.isEmpty()
                ? List.of()
                : ControlSql.rows(
                        control,
                        TEXTS.replace("%s", Quoting.literal(table)),
                        column -> "alter table " + table + " alter column " + Quoting.identifier(column.getString(1))
                                + " set storage " + asked.get());
    }

    /**
     * The differences, in words; empty if there are none or the table does not exist.
     *
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     * @param wholly whether the table must equal one created now; otherwise only requested options must match
     */
    private String difference(String table, int number, boolean wholly) throws SQLException {
        Options options = context.options();
        Optional<List<String>> differences =
                ControlSql.first(control, MADE.replace("%s", Quoting.literal(table)), made -> {
                    List<String> differs = new ArrayList<>();
                    boolean isUnlogged = made.getBoolean(1);
                    if (isUnlogged != options.get(WorkloadOptions.UNLOGGED)
                            && (wholly || options.get(WorkloadOptions.UNLOGGED))) {
                        differs.add(isUnlogged ? "is unlogged" : "is logged (--unlogged)");
                    }
                    String asked = tablespace(options, number);
                    String space = asked.isEmpty() && wholly ? made.getString(3) : asked;
                    if (!space.isEmpty() && !space.equals(made.getString(2))) {
                        differs.add("is in tablespace " + made.getString(2) + " (--tablespaces)");
                    }
                    int fillfactor = options.get(WorkloadOptions.FILLFACTOR);
                    if (made.getInt(4) != fillfactor && (wholly || options.isGiven(WorkloadOptions.FILLFACTOR))) {
                        differs.add("has fillfactor " + made.getInt(4) + " (--fillfactor)");
                    }
                    if ((wholly || options.isGiven(WorkloadOptions.WITH))
                            && !mark(options).isOn(control, new TableName("", table))) {
                        differs.add("was created with other parameters (--with)");
                    }
                    differs.addAll(otherStorage(made.getString(5), wholly));
                    differs.addAll(shards(table, options.get(WorkloadOptions.SHARDS)));
                    return differs;
                });
        return String.join(", ", differences.orElse(List.of()));
    }

    /** @param codes the storage of each column of variable length, as an array of letters */
    private List<String> otherStorage(String codes, boolean wholly) {
        Optional<WorkloadOptions.Storage> asked = context.get(WorkloadOptions.STORAGE);
        if (asked.isEmpty() && !wholly) {
            return List.of();
        }
        WorkloadOptions.Storage wanted = asked.orElse(WorkloadOptions.Storage.EXTENDED);
        return codes.matches("[{}," + wanted.code() + "]*")
                ? List.of()
                : List.of("has other storage than " + wanted.name().toLowerCase(Locale.ROOT) + " (--storage)");
    }

    private List<String> shards(String table, int asked) throws SQLException {
        if (asked == 0 || !context.dialect().tables().haveShards()) {
            return List.of();
        }
        Layout layout = context.dialect().plans().layout(control, new TableName("", table));
        boolean isDistributed = layout.unit().equals("shards");
        if (!isDistributed) {
            return List.of("is not distributed (--shards)");
        }
        return layout.units() == asked ? List.of() : List.of("has " + layout.units() + " shards (--shards)");
    }
}
