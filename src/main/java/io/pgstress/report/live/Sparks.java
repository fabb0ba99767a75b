package io.pgstress.report.live;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last rates of something, as a sparkline. Not thread-safe. */
final class Sparks {
    private final Deque<Double> rates = new ArrayDeque<>();
    private final int most;

    /** @param most how many rates are shown, the last ones */
    Sparks(int most) {
        this.most = most;
    }

    Sparks add(double perSecond) {
        if (rates.size() == most) {
            rates.removeFirst();
        }
        rates.addLast(perSecond);
        return this;
    }

    String line(boolean unicode) {
        return Bar.sparkline(rates.stream().mapToDouble(Double::doubleValue).toArray(), unicode);
    }
}
