package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import java.util.List;

/** What must be known of an operation to check the options of a run. */
@FunctionalInterface
public interface OperationKind {
    /** Its name, followed by its aliases. */
    List<String> names();

    /** The options that affect it, in addition to those that affect every operation. */
    default List<Option<?>> options() {
        return List.of();
    }

    /** Whether it can run without {@code --table}. */
    default boolean isSelfContained() {
        return false;
    }

    /** Whether it ends by itself when its work is finished. */
    default boolean isFinite() {
        return false;
    }

    /** What it needs in the copy table before a run. */
    default CopyState copy() {
        return CopyState.UNUSED;
    }

    /** Whether it begins and ends a transaction of its own. */
    default boolean hasOwnTransaction() {
        return false;
    }

    /** The operations with these names or aliases. */
    static <K extends OperationKind> List<K> named(List<String> names, List<K> known) {
        return known.stream()
                .filter(kind -> kind.names().stream().anyMatch(names::contains))
                .toList();
    }

    /** The required state of the copy table before an operation runs. */
    enum CopyState {
        /** Not used. */
        UNUSED,
        /** Exists, with any rows; created empty if missing. */
        PRESENT,
        EMPTY,
        /** A copy of the rows of the table whose ids can be drawn, or of a slice of them. */
        DRAWN,
        /** A copy of the table, row by row. */
        FULL;

        /** Whether the run itself brings the table into this state. */
        public boolean isReset() {
            return this == EMPTY || isFilled();
        }

        /** Whether the table has rows in this state. */
        public boolean isFilled() {
            return this == DRAWN || this == FULL;
        }
    }
}
