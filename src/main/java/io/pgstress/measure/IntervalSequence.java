package io.pgstress.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The intervals of one phase, made when first asked for, without holes. Thread-safe; finding an existing one takes no lock. */
final class IntervalSequence {
    private final ConcurrentMap<Integer, IntervalData> intervals = new ConcurrentHashMap<>();
    private final IntFunction<IntervalData> make;

    /** @param make makes the interval of a number; what two threads made at once is kept of one of them */
    IntervalSequence(IntFunction<IntervalData> make) {
        this.make = make;
    }

    IntervalData get(int index) {
        IntervalData there = intervals.get(index);
        return there != null ? there : fillUpTo(index);
    }

    /** Adds the missing ones in rising order, so that below one that is there none is missing. */
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

    /** Those so far, in order. */
    List<IntervalData> soFar() {
        List<IntervalData> found = new ArrayList<>();
        for (IntervalData one = intervals.get(0); one != null; one = intervals.get(found.size())) {
            found.add(one);
        }
        return found;
    }
}
