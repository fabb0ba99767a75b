package io.pgstress.testing.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The statements of one run, and when the server received and answered them. Thread-safe. */
final class ServiceLog {
    private final ServiceTime times;
    private long[] received = new long[1 << 16];
    private long[] answered = new long[1 << 16];
    private int count;

    ServiceLog(ServiceTime times) {
        this.times = times;
    }

    /** Records a statement received at this instant, and returns its number. */
    synchronized int receive(long nanos) {
        if (count == received.length) {
            received = Arrays.copyOf(received, 2 * count);
            answered = Arrays.copyOf(answered, 2 * count);
        }
        received[count] = nanos;
        return count++;
    }

    /** When a statement is due to be answered. */
    synchronized long due(int number) {
        return received[number] + times.nanos(number, received[number] - received[0]);
    }

    synchronized void answer(int number, long nanos) {
        answered[number] = nanos;
    }

    /** All answered statements, in order of receipt. */
    synchronized List<Served> served() {
        List<Served> served = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (answered[i] != 0) {
                served.add(new Served(received[i], answered[i]));
            }
        }
        return served;
    }
}
