package io.pgstress.plan.option;

import java.util.ArrayList;
import java.util.List;

/** All that is wrong with an input, collected so that it is told at once. Not thread-safe. */
public final class Problems {
    private final List<String> list = new ArrayList<>();

    /** Notes a problem: where, what must hold, what was found. */
    public void add(String where, String what) {
        list.add(where + ": " + what);
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Throws when anything was noted. */
    public void throwIfAny() {
        if (!list.isEmpty()) {
            throw new InvalidPlanException(list);
        }
    }
}
