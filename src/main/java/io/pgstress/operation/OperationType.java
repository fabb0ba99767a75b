package io.pgstress.operation;

import io.pgstress.dataset.Table;
import io.pgstress.plan.OperationOptions;
import io.pgstress.target.dialect.Dialect;
import java.util.List;

/**
 * A registered operation.
 *
 * @param names its name, then its other names
 * @param summary one sentence for the help
 * @param ownTable the first of the tables that it makes for itself; an empty string: it needs the table under load
 * @param takesAny whether it works on any table that is named instead
 */
public record OperationType(List<String> names, String summary, Factory factory, String ownTable, boolean takesAny) {
    public OperationType(List<String> names, String summary, Factory factory) {
        this(names, summary, factory, "", false);
    }

    public OperationType(List<String> names, String summary, Factory factory, String ownTable) {
        this(names, summary, factory, ownTable, false);
    }

    public OperationType {
        names = List.copyOf(names);
    }

    /** Makes the operation for a run. */
    @FunctionalInterface
    public interface Factory {
        Operation create(Context context);
    }

    /** What an operation is made for. */
    public record Context(Table table, Dialect dialect, OperationOptions options, long seed) {}

    public String name() {
        return names.get(0);
    }
}
