package io.pgstress.extra.oplog;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.dataset.CopyTable.CopyMark;
import io.pgstress.dataset.TableColumns;
import io.pgstress.dataset.TableMark;
import io.pgstress.importer.table.DuplicateMerge;
import io.pgstress.importer.table.TableForms;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables that a replay writes to; creates, renames and drops them. Used by one thread. */
final class ReplayTables {
    /** The comment on tables that replays have made, so that a later replay may change them. */
    static final TableMark MARK = new TableMark("stress: created or renamed by an oplog");

    private final Connection connection;
    private final TableForms forms;
    private final JsonOptions options;
    private final Map<TableName, KeyKinds> kinds;
    private final Map<TableName, ReplayTable> open = new HashMap<>();
    private final Set<String> changed = new TreeSet<>();

    /** @param kinds the kinds of all keys in the oplog */
    ReplayTables(Connection connection, TableForms forms, JsonOptions options, Map<TableName, KeyKinds> kinds) {
        this.connection = connection;
        this.forms = forms;
        this.options = options;
        this.kinds = kinds;
    }

    /** The table; null if it does not exist. */
    @Nullable
    ReplayTable find(TableName name) throws SQLException {
        ReplayTable known = open.get(name);
        if (known == null && TableColumns.exists(connection, name)) {
            known = opened(name, forms.of(name, found(name)));
        }
        return known;
    }

    /** The form that fits all keys that the oplog has for a table. */
    private KeyForm found(TableName name) {
        return kinds.getOrDefault(name, new KeyKinds()).form();
    }

    private ReplayTable opened(TableName name, KeyForm form) throws SQLException {
        List<String> others = TableColumns.others(connection, name);
        ReplayTable table = new ReplayTable(connection, name, form, options, String.join(", ", others));
        open.put(name, table);
        changed.add(name.quoted());
        return table;
    }

    /** Creates the table if it does not exist. */
    void create(TableName name) throws SQLException {
        if (!TableColumns.exists(connection, name)) {
            opened(name, forms.create(name, found(name)));
            ControlSql.execute(connection, MARK.sql(name));
        }
    }

    /** Drops the table, if it exists, and its copy table if that is not the user's; returns whether it existed. */
    boolean drop(TableName name) throws SQLException {
        open.remove(name);
        changed.remove(name.quoted());
        if (!TableColumns.exists(connection, name)) {
            return false;
        }
        ControlSql.execute(connection, "drop table " + name.quoted());
        dropCopy(name);
        return true;
    }

    private void dropCopy(TableName name) throws SQLException {
        TableName copy = name.copy();
        if (TableColumns.exists(connection, copy) && CopyMark.isOn(connection, copy)) {
            ControlSql.execute(connection, "drop table " + copy.quoted());
        }
    }

    /** Deletes all rows of the table, if it exists. */
    void empty(TableName name) throws SQLException {
        if (TableColumns.exists(connection, name)) {
            ControlSql.execute(connection, "delete from " + name.quoted());
        }
    }

    /**
     * Renames a table. If it does not exist, nothing is done: it has its new name already. If the new name is taken and is not to
     * be dropped, it is the same collection, dumped under its new name: the rows are moved.
     */
    void rename(TableName from, TableName to, boolean dropTarget) throws SQLException {
        if (from.equals(to) || !TableColumns.exists(connection, from)) {
            return;
        }
        if (!from.schema().equals(to.schema())) {
            throw new EntryException("a collection renamed into another database", from + " to " + to);
        }
        if (dropTarget) {
            drop(to);
        }
        boolean taken = TableColumns.exists(connection, to);
        if (taken && TableColumns.keyType(connection, from) != TableColumns.keyType(connection, to)) {
            throw new EntryException("a collection renamed to one with other keys", from + " to " + to);
        }
        if (taken) {
            try (Statement statement = connection.createStatement()) {
                new DuplicateMerge(to.quoted(), "select _id, data from " + from.quoted(), false)
                        .move(statement, OnDuplicate.REPLACE);
            }
            drop(from);
            return;
        }
        dropCopy(from);
        ControlSql.execute(connection, "alter table " + from.quoted() + " rename to " + Quoting.identifier(to.name()));
        ControlSql.execute(connection, MARK.sql(to));
        open.remove(from);
        changed.remove(from.quoted());
        changed.add(to.quoted());
    }

    /** The tables in use. */
    Collection<ReplayTable> open() {
        return open.values();
    }

    /** Forgets what was found out about the tables, after a transaction that may have changed them was rolled back. */
    void reopen() {
        open.clear();
    }

    /** Collects statistics of the tables that were changed. */
    void analyze() throws SQLException {
        for (String each : changed) {
            ControlSql.execute(connection, "analyze " + each);
        }
    }
}
