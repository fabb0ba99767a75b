package io.pgstress.operation;

import io.pgstress.dataset.Table;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.target.dialect.Dialect;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A registered operation.
 *
 * @param names its name, then its other names
 * @param summary one sentence for the help
 * @param ownTable the first of the tables that it makes for itself; an empty string: it needs the table under load
 * @param traits what else is to be known of it
 * @param options those that have an effect on it, beside the ones that have an effect on every operation
 */
public record OperationType(
        List<String> names,
        String summary,
        Factory factory,
        String ownTable,
        Set<Trait> traits,
        List<Option<?>> options) {
    public OperationType(List<String> names, String summary, Factory factory) {
        this(names, summary, factory, "");
    }

    public OperationType(List<String> names, String summary, Factory factory, String ownTable) {
        this(names, summary, factory, ownTable, Set.of());
    }

    public OperationType(List<String> names, String summary, Factory factory, String ownTable, Set<Trait> traits) {
        this(names, summary, factory, ownTable, traits, List.of());
    }

    public OperationType {
        names = List.copyOf(names);
        traits = Set.copyOf(traits);
        options = List.copyOf(options);
    }

    /** The same with these options. */
    public OperationType with(List<Option<?>> itsOptions) {
        return new OperationType(names, summary, factory, ownTable, traits, itsOptions);
    }

    /** The same with these options. */
    public OperationType with(Option<?>... itsOptions) {
        return with(List.of(itsOptions));
    }

    /** Something that not all operations have. */
    public enum Trait {
        /** Works on any table that is named, instead of its own. */
        TAKES_ANY_TABLE,
        /** Is done at some time: a run goes on until then, without a warm-up, unless it is told otherwise. */
        ENDS,
        /** Brings its tables into a first state and counts all of them afterwards: several hosts cannot share them. */
        ONE_HOST,
        /** Begins and ends a transaction of its own. */
        OWN_TRANSACTION
    }

    /** Makes the operation for a run. */
    @FunctionalInterface
    public interface Factory {
        Operation create(Context context);
    }

    /**
     * What an operation is made for.
     *
     * @param made null in a run; else statements are only explained: it is told what had to be made for that, and what is
     *     there is left as it is
     */
    public record Context(
            Table table,
            Dialect dialect,
            Options options,
            long seed,
            @Nullable Consumer<String> made) {
        /** For a run. */
        public Context(Table table, Dialect dialect, Options options, long seed) {
            this(table, dialect, options, seed, null);
        }

        /** The value of an option. */
        public <T> T get(Option<T> option) {
            return options.get(option);
        }

        /** Whether nothing that is there may be changed. */
        public boolean leavesAll() {
            return made != null;
        }
    }

    public String name() {
        return names.get(0);
    }
}
