package io.pgstress.extra.suggest;

import java.util.Set;

/**
 * Where a condition holds.
 *
 * @param base the jsonb in SQL: {@code data}, or an element of an array
 * @param within the path of the element, without positions; empty: the document
 * @param drawn the path to draw the element's values from; empty: the document
 * @param row the row that the values come from
 * @param down the ranges whose upper bound is drawn
 * @param idOfRow whether the id is of the same row as the other values
 */
record Scope(String base, String within, String drawn, Parameters.Row row, Set<String> down, boolean idOfRow) {
    /** The same with values of another row. */
    Scope apart() {
        return new Scope(base, within, drawn, new Parameters.Row(), down, false);
    }

    /** The elements of an array. */
    Scope element(String path, String drawnFrom) {
        return new Scope("e", within.isEmpty() ? path : within + "." + path, drawnFrom, row, Set.of(), false);
    }

    boolean isDocument() {
        return base.equals("data");
    }
}
