package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import java.util.OptionalLong;

/** A run on one host, which waits for nobody. Thread-safe. */
public final class Alone implements Conductor {
    private final NanoClock clock;

    public Alone(NanoClock clock) {
        this.clock = clock;
    }

    @Override
    public HostShare share(int clients) {
        return HostShare.whole(clients);
    }

    @Override
    public long loadStarts(long now) {
        return now;
    }

    @Override
    public long noticeNanos() {
        return 0;
    }

    @Override
    public OptionalLong measureStarts(boolean isWarm, long earliest) {
        return isWarm ? OptionalLong.of(earliest) : OptionalLong.empty();
    }

    @Override
    public Window pause(long start, Runnable reset) {
        reset.run();
        return new Window(start, clock.nanoTime());
    }
}
