package io.pgstress.runner;

import io.pgstress.dataset.KeyProgress;
import io.pgstress.interrupt.Interruption;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reports every few seconds how many ids have been read, and ends the reading after a signal. Belongs to one thread. */
final class IdProgress implements KeyProgress {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Interruption interruption;
    private final Consumer<String> notes;
    private long reported = System.nanoTime();

    IdProgress(Interruption interruption, Consumer<String> notes) {
        this.interruption = interruption;
        this.notes = notes;
    }

    /** @throws io.pgstress.interrupt.InterruptedCommandException after a signal */
    @Override
    public void read(long read, long all) {
        interruption.check();
        long now = System.nanoTime();
        if (now - reported >= INTERVAL_NANOS) {
            reported = now;
            notes.accept(String.format(Locale.ROOT, "reading ids: %,d of about %,d", read, all));
        }
    }
}
