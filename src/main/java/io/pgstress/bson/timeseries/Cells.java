package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import org.jspecify.annotations.Nullable;

/** The values of one field of a bucket. Not thread-safe. */
abstract sealed class Cells {
    /** Subtype of a BSON column. */
    private static final int COLUMN = 7;

    private static final int BINARY_AT = 5;

    /** The values in a field of the bucket's data. */
    static Cells of(Element data, String name) throws ColumnException {
        if (data.type() == BsonType.DOCUMENT) {
            return new Plain(new Fields(data.bytes(), data.from()));
        }
        if (data.type() == BsonType.BINARY && data.bytes()[data.from() + Integer.BYTES] == COLUMN) {
            int length = Bytes.intAt(data.bytes(), data.from());
            return new Compressed(new Column(data.bytes(), data.from() + BINARY_AT, length), name);
        }
        throw new ColumnException("the field " + name + " is neither a document nor a column");
    }

    /** Moves to the next row that has a value, of the field whose rows are those of the bucket; false at the end. */
    abstract boolean next() throws ColumnException;

    /** The value of the row to which {@link #next} moved; null if it is missing. */
    abstract @Nullable Element value();

    /** The value in the row to which the field {@code rows} moved; null if it is missing. Called once for each row. */
    abstract @Nullable Element in(Cells rows) throws ColumnException;

    /** A document whose names are the numbers of the rows; rows without a value are left out. */
    private static final class Plain extends Cells {
        private final Fields fields;
        private boolean ahead;
        private boolean ended;

        Plain(Fields fields) {
            this.fields = fields;
        }

        @Override
        boolean next() throws ColumnException {
            return fields.next();
        }

        @Override
        Element value() {
            return fields.value();
        }

        @Override
        @Nullable
        Element in(Cells rows) throws ColumnException {
            if (!(rows instanceof Plain time)) {
                throw new ColumnException("fields of different versions");
            }
            if (!ahead && !ended) {
                ahead = fields.next();
                ended = !ahead;
            }
            if (!ahead || !fields.isNamed(time.fields.name())) {
                return null;
            }
            ahead = false;
            return fields.value();
        }
    }

    /** A BSON column. */
    private static final class Compressed extends Cells {
        private final Column column;
        private final String name;

        Compressed(Column column, String name) {
            this.column = column;
            this.name = name;
        }

        @Override
        boolean next() throws ColumnException {
            return column.next();
        }

        @Override
        @Nullable
        Element value() {
            return column.value();
        }

        @Override
        @Nullable
        Element in(Cells rows) throws ColumnException {
            if (!column.next()) {
                throw new ColumnException("the field " + name + " has fewer rows than the time");
            }
            return column.value();
        }
    }
}
