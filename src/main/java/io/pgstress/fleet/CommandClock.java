package io.pgstress.fleet;

import io.pgstress.measure.NanoClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The command's clock, as estimated by an agent from the fastest of several round trips. Thread-safe. */
final class CommandClock {
    private static final int ROUND_TRIPS = 15;

    /** Longest wait for an answer. A command that answers neither of the first two questions is lost. */
    private static final long MAX_MILLIS = 4_000;

    private final NanoClock clock;
    private final Consumer<Message> send;
    private final Map<Long, Long> sent = new ConcurrentHashMap<>();
    private volatile CountDownLatch answered = new CountDownLatch(0);
    private long number;
    private volatile @Nullable ClockOffset best;

    CommandClock(NanoClock clock, Consumer<Message> send) {
        this.clock = clock;
        this.send = send;
    }

    /** Estimates the offset anew; null if the command does not answer. Belongs to one thread at a time. */
    @Nullable
    ClockOffset estimate() throws InterruptedException {
        best = null;
        for (int i = 0; i < ROUND_TRIPS; i++) {
            answered = new CountDownLatch(1);
            sent.put(++number, clock.nanoTime());
            send.accept(new Message.Ping(number));
            if (!answered.await(MAX_MILLIS, TimeUnit.MILLISECONDS) && best == null && i > 0) {
                return null;
            }
        }
        return best;
    }

    /** Takes an answer; called by the thread that receives messages. */
    void answered(Message.Pong pong) {
        long received = clock.nanoTime();
        Long asked = sent.remove(pong.number());
        if (asked != null) {
            ClockOffset one = ClockOffset.of(asked, pong.nanos(), received);
            ClockOffset known = best;
            best = known == null ? one : known.orBetter(one);
        }
        answered.countDown();
    }
}
