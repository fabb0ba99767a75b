package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Filter.Condition.Plain;
import io.pgstress.extra.suggest.Shape.SortKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which rows a statement takes, and in which order. The bounds of a range in the profile are not in the file: one bound is drawn
 * from the table, and instead of the other one a limit ends the range, which is the number of documents that the profile shows.
 *
 * @param order the order of the rows
 * @param limit the most rows; 0: all
 * @param inner the range to limit before the rows are sorted
 * @param innerLimit the most rows of this range
 * @param down the ranges whose upper bound is drawn
 */
record Selection(List<SortKey> order, int limit, Optional<SortKey> inner, int innerLimit, Set<String> down) {
    /** Rows of a range about which the profile says nothing. */
    private static final int ROWS = 20;

    /**
     * The rows of a filter.
     *
     * @param limit the limit of the query; 0: none
     */
    static Selection of(Filter filter, List<SortKey> sort, int limit, Usage usage, DocumentFacts facts) {
        int rows = usage.isGuess() ? ROWS : usage.rows();
        Optional<Filter.Field> range = filter.required().stream()
                .filter(f -> f instanceof Filter.Field field && field.condition() instanceof Condition.Range)
                .map(f -> (Filter.Field) f)
                .filter(field -> !facts.field(field.path()).isMultikey())
                .findFirst();
        if (range.isEmpty()) {
            boolean isBounded = filter.required().stream().anyMatch(Selection::isSelective);
            return new Selection(sort, limit > 0 || isBounded ? limit : rows, Optional.empty(), 0, Set.of());
        }
        return ofRange(filter, range.get(), sort, limit, usage, rows);
    }

    private static Selection ofRange(
            Filter filter, Filter.Field range, List<SortKey> sort, int limit, Usage usage, int rows) {
        String path = range.path();
        Condition.Range bounds = (Condition.Range) range.condition();
        boolean both = bounds.from() && bounds.to();
        Optional<SortKey> first =
                sort.stream().filter(key -> !filter.pins(key.path())).findFirst();
        boolean isSorted = first.isPresent() && first.get().path().equals(path);
        boolean descending = isSorted ? first.get().descending() : !bounds.from();
        Set<String> down = descending ? Set.of(path) : Set.of();
        SortKey along = new SortKey(path, descending);
        if (first.isPresent() && !isSorted) {
            int span = usage.isGuess() ? ROWS : Math.max(limit, usage.examined());
            return new Selection(sort, limit, Optional.of(along), span, down);
        }
        int most = limit == 0 ? rows : both ? Math.min(limit, rows) : limit;
        return new Selection(isSorted ? sort : List.of(along), most, Optional.empty(), 0, down);
    }

    /** Whether it leaves only the rows of certain values. */
    private static boolean isSelective(Filter filter) {
        if (filter instanceof Filter.Field field) {
            return field.condition() == Plain.EQUAL
                    || (field.condition() instanceof Condition.In in && !in.negated())
                    || field.condition() instanceof Condition.Contains;
        }
        if (filter instanceof Filter.Any any) {
            return any.filters().stream()
                    .allMatch(each -> each.required().stream().anyMatch(Selection::isSelective));
        }
        return filter instanceof Filter.Element element
                && element.filter().required().stream().anyMatch(Selection::isSelective);
    }

    /** Whether all rows of the filter are taken, in any order. */
    boolean isWhole() {
        return limit == 0 && inner.isEmpty();
    }
}
