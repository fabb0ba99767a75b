package io.pgstress.extra.suggest;

import java.util.List;

/** An operation without its values. Operations with equal shapes are one operation of the suggested load. */
public sealed interface Shape {
    /** The documents that it concerns. */
    Filter filter();

    /**
     * A query.
     *
     * @param limit the most rows; 0: all
     * @param skip rows to leave out, rounded up to a power of two; 0: none
     */
    record Find(Filter filter, List<SortKey> sort, int limit, int skip, Projection projection) implements Shape {
        public Find {
            sort = List.copyOf(sort);
        }
    }

    /**
     * A count.
     *
     * @param limit the most rows counted; 0: all
     */
    record Count(Filter filter, int limit) implements Shape {}

    /** The distinct values at a path. */
    record Distinct(Filter filter, String path) implements Shape {}

    /**
     * Totals per group.
     *
     * @param keys the fields to group by; empty: one group
     * @param limit the most groups, those with the greatest number of rows; 0: all
     */
    record Group(Filter filter, List<String> keys, List<Total> totals, int limit) implements Shape {
        public Group {
            keys = List.copyOf(keys);
            totals = List.copyOf(totals);
        }
    }

    /** A total of a group: a function ({@code count}, {@code sum}, {@code avg}, {@code min}, {@code max}) of a field. */
    record Total(String function, String path) {}

    /**
     * An update.
     *
     * @param changes empty: the whole document is replaced
     * @param many whether it concerns all documents of the filter
     * @param sort which one comes first, unless {@code many}
     */
    record Update(Filter filter, List<Change> changes, boolean many, boolean upserts, List<SortKey> sort)
            implements Shape {
        public Update {
            changes = List.copyOf(changes);
            sort = List.copyOf(sort);
        }
    }

    /** A deletion. */
    record Delete(Filter filter, boolean many, List<SortKey> sort) implements Shape {
        public Delete {
            sort = List.copyOf(sort);
        }
    }

    /**
     * An insertion.
     *
     * @param documents how many at once, rounded up to a power of two
     */
    record Insert(int documents) implements Shape {
        @Override
        public Filter filter() {
            return Filter.everything();
        }
    }
}
