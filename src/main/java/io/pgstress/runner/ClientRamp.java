package io.pgstress.runner;

import io.pgstress.target.loop.Gate;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets only a few of the connected clients run when the warm-up begins. Beside many clients and server processes, the JVM's
 * compiler would get little of the cores. The others begin when the compiler is idle, at the latest after four seconds or a quarter
 * of the warm-up. A closed loop only: an open loop has its own {@code --ramp}. Belongs to the run's thread.
 */
public final class ClientRamp {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int PART_OF_WARMUP = 4;
    private static final long SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The compiler is idle if its threads ran or waited for a core for at most this share of the time. */
    private static final double IDLE = 0.1;

    /** One quiet span may be chance. Outside of Linux, a compilation counts only when it ends. */
    private static final int IDLE_SPANS = 2;

    private final RunSignals signals;
    private final Gate go = new Gate();
    private final long limit;
    private final int first;
    private final LongSupplier compilerMillis;
    private boolean isOver;
    private long nextLook = SPAN_NANOS;
    private long lastLook;
    private long compiledBefore;
    private int idleSpans;

    ClientRamp(RunSignals signals, long warmupNanos, int first, LongSupplier compilerMillis) {
        this.signals = signals;
        this.limit = Math.min(MAX_NANOS, warmupNanos / PART_OF_WARMUP);
        this.first = first;
        this.compilerMillis = compilerMillis;
        this.isOver = limit == 0 || signals.schedule() != null;
        this.compiledBefore = compilerMillis.getAsLong();
    }

    /**
     * @param warmupNanos the longest warm-up
     * @param nodes number of servers; the first clients are spread over them
     */
    public static ClientRamp of(RunSignals signals, long warmupNanos, int nodes) {
        CompilerTime compiler = new CompilerTime();
        boolean isTimed = compiler.wantedSeconds() != null;
        int half = Runtime.getRuntime().availableProcessors() / 2; // the other half is the compiler's
        return new ClientRamp(
                signals, isTimed ? warmupNanos : 0, Math.max(1, half / nodes), () -> wantedMillis(compiler));
    }

    private static long wantedMillis(CompilerTime compiler) {
        compiler.read();
        Double seconds = compiler.wantedSeconds();
        return seconds == null ? 0 : (long) (1e3 * seconds);
    }

    /** Opens when a client may begin. {@code index} is its number among those of its server. */
    public Gate gateOf(int index) {
        return isOver || index < first ? signals.go() : go;
    }

    /** Whether some clients are still held back; to be called throughout the load. */
    public boolean isRunning(long now) {
        if (!isOver) {
            long since = now - signals.timeline().origin();
            if (since >= nextLook) {
                look(since);
            }
            if (since >= limit
                    || idleSpans >= IDLE_SPANS
                    || signals.stop().reason() != null
                    || signals.pause().isRequested()) {
                end();
            }
        }
        return !isOver;
    }

    private void look(long since) {
        long compiled = compilerMillis.getAsLong();
        double busy = (compiled - compiledBefore) * 1e6 / (since - lastLook);
        idleSpans = busy <= IDLE ? idleSpans + 1 : 0;
        compiledBefore = compiled;
        lastLook = since;
        nextLook = since + SPAN_NANOS;
    }

    /** Lets all clients run. */
    public void end() {
        isOver = true;
        go.open();
    }
}
