package io.pgstress.operation.check;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where a table's rows are: in its own file, and in those of its partitions and child tables. Whoever changes that may take rows
 * away that no statement deleted.
 *
 * @param table the table's number in the catalog; 0 if it does not exist
 * @param files the file of each of these tables by its number
 */
record TableFiles(long table, Map<Long, Long> files) {
    /** Reads where the rows are now. */
    static TableFiles read(Connection control, TableName table) throws SQLException {
        Map<Long, Long> files = new LinkedHashMap<>();
        List<Long> next = add(files, control, "c.oid = to_regclass(" + table.literal() + ")");
        long first = next.isEmpty() ? 0 : next.get(0);
        while (!next.isEmpty()) {
            String parents = next.stream().map(String::valueOf).collect(Collectors.joining(", "));
            next = add(
                    files, control, "c.oid in (select inhrelid from pg_inherits where inhparent in (" + parents + "))");
        }
        return new TableFiles(first, files);
    }

    /** Adds the tables that meet a condition; returns those that were not known. */
    private static List<Long> add(Map<Long, Long> files, Connection control, String condition) throws SQLException {
        return ControlSql.rows(control, "select c.oid, c.relfilenode from pg_class c where " + condition, row -> {
                    long oid = row.getLong(1);
                    return files.put(oid, row.getLong(2)) == null ? oid : 0;
                })
                .stream()
                .filter(oid -> oid != 0)
                .toList();
    }

    /** What may have taken rows away since these files were read, as a clause; empty if they are the same. */
    String changeTo(TableFiles now) {
        if (table != now.table) {
            return "it was dropped or created anew";
        }
        if (!now.files.keySet().containsAll(files.keySet())) {
            return "one of its partitions or child tables was detached or dropped";
        }
        boolean isSame =
                files.entrySet().stream().allMatch(file -> file.getValue().equals(now.files.get(file.getKey())));
        return isSame ? "" : "it was truncated or rewritten";
    }
}
