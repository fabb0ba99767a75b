package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of objects. Each field is a sequence of values of its own. A reference object has all fields. The blocks of
 * the fields are interleaved, in the order in which the fields need them.
 */
final class Objects {
    private static final int MAX_DEPTH = 200;

    private final boolean array;
    private final boolean intoArrays;
    private final byte[] bytes;
    private final List<Step> steps = new ArrayList<>();
    private final List<Values> fields = new ArrayList<>();
    private final ByteSink out = new ByteSink(256);
    private final int[] starts = new int[MAX_DEPTH + 1];
    private @Nullable Element value;

    /**
     * Begins after a valid length of the reference object.
     *
     * @param array whether the values are arrays rather than objects
     * @param intoArrays whether the elements of arrays are fields; otherwise an array is one value
     */
    Objects(byte[] bytes, int from, boolean array, boolean intoArrays) throws ColumnException {
        this.bytes = bytes;
        this.array = array;
        this.intoArrays = intoArrays;
        discover(array ? BsonType.ARRAY : BsonType.DOCUMENT, new byte[0], from, 0);
        if (fields.isEmpty()) {
            throw new ColumnException("a reference object without fields");
        }
    }

    private void discover(int type, byte[] name, int from, int depth) throws ColumnException {
        if (depth == MAX_DEPTH) {
            throw new ColumnException("objects nested deeper than " + MAX_DEPTH);
        }
        steps.add(Step.open(type, name));
        int limit = from + Bytes.intAt(bytes, from) - 1;
        int at = from + Integer.BYTES;
        boolean empty = at == limit;
        while (at < limit) {
            int kind = bytes[at] & 0xff;
            int nul = Bytes.nulAt(bytes, at + 1, limit);
            int next = nul < 0 ? -1 : Elements.end(kind, bytes, nul + 1, limit);
            if (next < 0) {
                throw new ColumnException("an invalid reference object");
            }
            byte[] key = Arrays.copyOfRange(bytes, at + 1, nul);
            if (kind == BsonType.DOCUMENT || (kind == BsonType.ARRAY && intoArrays)) {
                discover(kind, key, nul + 1, depth + 1);
            } else {
                Values values = new Values();
                values.literal(new Element(kind, bytes, nul + 1, next - nul - 1));
                fields.add(values);
                steps.add(Step.field(key, values));
            }
            at = next;
        }
        steps.add(Step.close(empty, name));
    }

    /** Moves to the next object; false if the next control byte ends the sequence. */
    boolean next(Column column) throws ColumnException {
        out.clear();
        int depth = 0;
        for (Step step : steps) {
            switch (step.kind()) {
                case OPEN -> {
                    out.put(step.type());
                    out.put(step.name());
                    out.put(0);
                    starts[depth++] = out.length();
                    out.ensure(Integer.BYTES);
                    out.length(out.length() + Integer.BYTES);
                }
                case CLOSE -> close(step, starts[--depth]);
                case FIELD -> {
                    if (!add(step, column)) {
                        return false;
                    }
                }
            }
        }
        // the type and the empty name of the outermost object
        value = out.length() == 0
                ? null
                : Element.of(
                        array ? BsonType.ARRAY : BsonType.DOCUMENT, Arrays.copyOfRange(out.array(), 2, out.length()));
        return true;
    }

    private void close(Step step, int start) {
        if (!step.mayBeEmpty() && out.length() == start + Integer.BYTES) {
            out.length(start - step.name().length - 2);
            return;
        }
        out.put(0);
        Bytes.putInt(out.array(), start, out.length() - start);
    }

    /** Adds a field; false if the sequence ends here. */
    private boolean add(Step step, Column column) throws ColumnException {
        Values values = step.values();
        Element element;
        if (values.next()) {
            element = values.value();
        } else if (column.control() == 0) {
            requireEnd(values);
            return false;
        } else {
            element = column.load(values);
        }
        if (element != null) {
            element.write(step.name(), out);
        }
        return true;
    }

    private void requireEnd(Values at) throws ColumnException {
        for (Values each : fields) {
            if (each != at && each.next()) {
                throw new ColumnException("interleaved fields of different lengths");
            }
        }
        if (at != fields.get(0)) {
            throw new ColumnException("the end of interleaved objects within an object");
        }
    }

    /** The current object; null if all its fields are missing. */
    @Nullable
    Element value() {
        return value;
    }
}
