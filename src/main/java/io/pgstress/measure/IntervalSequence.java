package io.pgstress.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The intervals of one phase, created on first use, without gaps. Thread-safe; finding an existing one takes no lock. */
final class IntervalSequence {
    private final ConcurrentMap<Integer, IntervalData> intervals = new ConcurrentHashMap<>();
    private final IntFunction<IntervalData> make;

    /** @param make creates the interval of a number; if two threads create it at once, one of the two is kept */
    IntervalSequence(IntFunction<IntervalData> make) {
        this.make = make;
    }

    IntervalData get(int index) {
        IntervalData existing = intervals.get(index);
        return existing != null ? existing : fillUpTo(index);
    }

    /** Adds missing intervals in ascending order, so that there is never a gap below an existing one. */
    private IntervalData fillUpTo(int index) {
        int missing = index;
        while (missing > 0 && !intervals.containsKey(missing - 1)) {
            missing--;
        }
        for (int i = missing; i < index; i++) {
            intervals.putIfAbsent(i, make.apply(i));
        }
        IntervalData mine = make.apply(index);
        @Nullable IntervalData other = intervals.putIfAbsent(index, mine);
        return other == null ? mine : other;
    }

    /** The intervals so far, in order. */
    List<IntervalData> soFar() {
        List<IntervalData> found = new ArrayList<>();
        for (IntervalData one = intervals.get(0); one != null; one = intervals.get(found.size())) {
            found.add(one);
        }
        return found;
    }
}
