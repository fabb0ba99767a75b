package io.pgstress.operation;

import io.pgstress.plan.TableName;

/**
 * What the clients of one operation write into one table by one kind of statement.
 *
 * @param table as it stands in SQL
 * @param exclusive whether nothing but this run writes the table, so that rows nobody acknowledged are wrong too
 * @param ids whether the tallies hold the sum of the ids, of a column {@code _id} of whole numbers
 * @param touched the ids that were updated; {@link UpdatedIds#NONE} where that is not noted
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

    /** Of the copy table, which this run has for itself. */
    public static Writes copy(String operation, Kind kind, TableName copy, boolean ids, WriteTallies tallies) {
        return new Writes(operation, kind, copy.quoted(), true, ids, tallies, UpdatedIds.NONE);
    }

    /** Of a table that others may write too. */
    public static Writes shared(String operation, Kind kind, String table, WriteTallies tallies) {
        return new Writes(operation, kind, table, false, false, tallies, UpdatedIds.NONE);
    }

    /** Updates of the table under load, whose ids are noted. */
    public static Writes updates(String operation, TableName table, WriteTallies tallies, UpdatedIds touched) {
        return new Writes(operation, Kind.UPDATE, table.quoted(), false, false, tallies, touched);
    }
}
