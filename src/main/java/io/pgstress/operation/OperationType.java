package io.pgstress.operation;

import io.pgstress.dataset.Table;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.OperationKind;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.target.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A registered operation.
 *
 * @param names its name, followed by its aliases
 * @param summary one sentence for the help text
 * @param ownTable the first of the tables it creates for itself; empty: it needs the table under load
 * @param copy what it needs in the copy table before a run
 * @param traits what distinguishes it from other operations
 * @param options the options that affect it, in addition to those that affect every operation
 */
public record OperationType(
        List<String> names,
        String summary,
        Factory factory,
        String ownTable,
        CopyState copy,
        Set<Trait> traits,
        List<Option<?>> options)
        implements OperationKind {
    public OperationType {
        names = List.copyOf(names);
        traits = Set.copyOf(traits);
        options = List.copyOf(options);
    }

    /** An operation on the table under load, without options of its own. */
    public static OperationType of(String name, String summary, Factory factory) {
        return new OperationType(List.of(name), summary, factory, "", CopyState.UNUSED, Set.of(), List.of());
    }

    /** A property that only some operations have. */
    public enum Trait {
        /** Works on any named table instead of its own. */
        TAKES_ANY_TABLE,
        /** Runs until its work is finished, without a warm-up, unless options say otherwise. */
        FINITE,
        /** Begins and ends a transaction of its own. */
        OWN_TRANSACTION
    }

    public String name() {
        return names.get(0);
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether it creates its own tables, so that no table need be named. */
    @Override
    public boolean isSelfContained() {
        return !ownTable.isEmpty();
    }

    @Override
    public boolean isFinite() {
        return is(Trait.FINITE);
    }

    @Override
    public boolean hasOwnTransaction() {
        return is(Trait.OWN_TRANSACTION);
    }

    /** A copy with another alias. */
    public OperationType alias(String name) {
        List<String> all = Stream.concat(names.stream(), Stream.of(name)).toList();
        return new OperationType(all, summary, factory, ownTable, copy, traits, options);
    }

    /** A copy with its own tables; this is the first of them. */
    public OperationType selfContained(String table) {
        return new OperationType(names, summary, factory, table, copy, traits, options);
    }

    /** A copy that needs this in the copy table. */
    public OperationType withCopy(CopyState content) {
        return new OperationType(names, summary, factory, ownTable, content, traits, options);
    }

    /** A copy with these traits. */
    public OperationType with(Trait... itsTraits) {
        return new OperationType(names, summary, factory, ownTable, copy, Set.of(itsTraits), options);
    }

    /** A copy with these options. */
    public OperationType with(List<Option<?>> itsOptions) {
        return new OperationType(names, summary, factory, ownTable, copy, traits, itsOptions);
    }

    /** A copy with these options. */
    public OperationType with(Option<?>... itsOptions) {
        return with(List.of(itsOptions));
    }

    /** Creates the operation for a run. */
    @FunctionalInterface
    public interface Factory {
        Operation create(Context context);
    }

    /**
     * What an operation is created for.
     *
     * @param share the part of the run that this process performs
     * @param made null in a run. Otherwise it is a dry run, which only explains statements: existing objects are not changed,
     *     and this receives the names of the objects that had to be created
     * @param work what a long set-up may use; null: only its control connection
     */
    public record Context(
            Table table,
            Dialect dialect,
            Options options,
            long seed,
            HostShare share,
            @Nullable Consumer<String> made,
            @Nullable SetUpWork work) {
        /** For a run on this host alone. */
        public Context(Table table, Dialect dialect, Options options, long seed, int clients) {
            this(table, dialect, options, seed, HostShare.whole(clients), null, null);
        }

        /** The value of an option. */
        public <T> T get(Option<T> option) {
            return options.get(option);
        }

        /** Whether existing objects must not be changed. */
        public boolean isDryRun() {
            return made != null;
        }
    }

    /**
     * What a long set-up may use besides its control connection.
     *
     * @param connections further control connections; any thread may open them
     * @param progress receives lines for the user, from the set-up's thread; throws if the run was stopped
     */
    public record SetUpWork(Connections connections, Consumer<String> progress) {
        /** Opens control connections. */
        @FunctionalInterface
        public interface Connections {
            /** A new connection in autocommit mode, which the caller closes. */
            Connection open() throws SQLException;
        }
    }
}
