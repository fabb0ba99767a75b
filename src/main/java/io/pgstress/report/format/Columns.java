package io.pgstress.report.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table: what each is called, and which value it has in a row. They make a CSV, a table of text, or an object of
 * JSON per row. Not thread-safe while columns are added.
 *
 * @param <R> what a row is about
 */
public final class Columns<R> {
    private final List<Column<R>> columns = new ArrayList<>();

    /** @param text the cell of a value that is there */
    private record Column<R>(String name, Function<R, @Nullable Object> value, Function<Object, String> text) {}

    /** Adds a column with cells for programs: decimal numbers without an exponent, everything else as it is. */
    public Columns<R> add(String name, Function<? super R, ? extends @Nullable Object> value) {
        return add(name, value, v -> v instanceof Double number ? Figures.plain(number) : v.toString());
    }

    @SuppressWarnings("unchecked") // the text is only asked for the column's own values
    public <V> Columns<R> add(
            String name, Function<? super R, ? extends @Nullable V> value, Function<? super V, String> text) {
        columns.add(new Column<>(name, value::apply, v -> text.apply((V) v)));
        return this;
    }

    /** Adds a column of whole numbers for people. */
    public Columns<R> count(String name, ToLongFunction<? super R> value) {
        return add(name, value::applyAsLong, Figures::count);
    }

    /** Adds a column of decimal numbers for people. */
    public Columns<R> decimal(String name, Function<? super R, ? extends @Nullable Double> value, int decimals) {
        return add(name, value, number -> Figures.decimal(number, decimals));
    }

    /** The columns of these names, in this order. */
    public Columns<R> only(String... names) {
        Columns<R> some = new Columns<>();
        for (String name : names) {
            columns.stream().filter(column -> column.name.equals(name)).forEach(some.columns::add);
        }
        return some;
    }

    /** A copy with empty cells in all rows but these. */
    public Columns<R> onlyIn(Predicate<? super R> rows) {
        Columns<R> some = new Columns<>();
        columns.forEach(c -> some.columns.add(new Column<>(
                c.name, row -> rows.test(row) ? c.value.apply(row) : "", v -> v.equals("") ? "" : c.text.apply(v))));
        return some;
    }

    /** A copy with names made from these. */
    public Columns<R> named(UnaryOperator<String> naming) {
        Columns<R> others = new Columns<>();
        columns.forEach(c -> others.columns.add(new Column<>(naming.apply(c.name), c.value, c.text)));
        return others;
    }

    /** Adds the columns of a part of the row. A row without the part has no values in them. */
    public <P> Columns<R> part(Function<? super R, ? extends @Nullable P> part, Columns<P> others) {
        for (Column<P> other : others.columns) {
            columns.add(new Column<>(
                    other.name,
                    row -> {
                        P found = part.apply(row);
                        return found == null ? null : other.value.apply(found);
                    },
                    other.text));
        }
        return this;
    }

    /**
     * Adds the columns of a part of the row, with other names.
     *
     * @param prefix what their names begin with
     */
    public <P> Columns<R> part(String prefix, Function<? super R, ? extends @Nullable P> part, Columns<P> others) {
        return part(part, others.named(name -> prefix + name));
    }

    public List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /**
     * The cells of a row.
     *
     * @param absent the cell without a value
     */
    public List<String> cells(R row, String absent) {
        List<String> cells = new ArrayList<>(columns.size());
        for (Column<R> column : columns) {
            Object value = column.value.apply(row);
            cells.add(value == null ? absent : column.text.apply(value));
        }
        return cells;
    }

    /** The values of a row by the names of the columns; a column without a value is omitted. */
    public Map<String, Object> values(R row) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Column<R> column : columns) {
            Object value = column.value.apply(row);
            if (value != null) {
                values.put(column.name, value);
            }
        }
        return values;
    }
}
