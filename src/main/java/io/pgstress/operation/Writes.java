package io.pgstress.operation;

import io.pgstress.plan.TableName;
import java.util.List;

/**
 * What the clients of one operation write into one table with one kind of statement.
 *
 * @param table the table as written in SQL
 * @param exclusive whether only this run writes to the table, so that unacknowledged rows are errors too
 * @param ids whether the tallies contain the sum of the ids, from an integer column {@code _id}
 * @param touched the updated ids; {@link UpdatedIds#NONE} if they are not recorded
 */
public record Writes(
        String operation,
        Kind kind,
        String table,
        boolean exclusive,
        boolean ids,
        WriteTallies tallies,
        UpdatedIds touched)
        implements TableCheck {
    @Override
    public List<WriteTallies> acknowledged() {
        return List.of(tallies);
    }

    /** What a statement does to rows. */
    public enum Kind {
        INSERT("insert"),
        DELETE("delete"),
        UPDATE("update");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** Writes to the copy table, which this run uses exclusively. */
    public static Writes copy(String operation, Kind kind, TableName copy, boolean ids, WriteTallies tallies) {
        return new Writes(operation, kind, copy.quoted(), true, ids, tallies, UpdatedIds.NONE);
    }

    /** Writes to a table that others may write to as well. */
    public static Writes shared(String operation, Kind kind, String table, WriteTallies tallies) {
        return new Writes(operation, kind, table, false, false, tallies, UpdatedIds.NONE);
    }

    /** Updates of the table under load, whose ids are recorded. */
    public static Writes updates(String operation, TableName table, WriteTallies tallies, UpdatedIds touched) {
        return new Writes(operation, Kind.UPDATE, table.quoted(), false, false, tallies, touched);
    }
}
