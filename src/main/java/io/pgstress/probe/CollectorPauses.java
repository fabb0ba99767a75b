package io.pgstress.probe;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.pgstress.measure.Spans;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.verdict.LongTimes.Suspect;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The pauses of the garbage collector, from its own notifications, to the millisecond. Thread-safe. */
public final class CollectorPauses implements Probe {
    private final Spans pauses = new Spans();
    private final LongUnaryOperator sinceStart;
    private final NotificationListener listener = this::collected;
    private final List<NotificationEmitter> heard = new ArrayList<>();

    public CollectorPauses(RunContext run) {
        this(run.timeline()::sinceStart);
    }

    /** @param sinceStart converts the clock's nanoseconds to those since the start of the load */
    CollectorPauses(LongUnaryOperator sinceStart) {
        this.sinceStart = sinceStart;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (isPausing(bean.getName()) && bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
                heard.add(emitter);
            }
        }
    }

    /** Whether the collector with this name stops all threads; concurrent cycles do not. */
    static boolean isPausing(String name) {
        return !name.contains("Concurrent") && !name.contains("Cycles");
    }

    private void collected(Notification notification, Object ignored) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GcInfo info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo();
            // computed from the time since its end by the notification's clock: GcInfo's times have another origin than
            // the uptime
            long ago = Instant.now().toEpochMilli() - notification.getTimeStamp();
            long end = System.nanoTime() - ago * 1_000_000;
            add(end - info.getDuration() * 1_000_000, end);
        }
    }

    /** Adds a pause, in nanoseconds of the clock. */
    void add(long from, long to) {
        pauses.add(sinceStart.applyAsLong(from), sinceStart.applyAsLong(to));
    }

    /** The longest pauses so far, in nanoseconds since the start of the load. */
    List<Spans.Span> spans() {
        return pauses.all();
    }

    @Override
    public void contribute(Findings findings) {
        spans().forEach(s -> findings.suspect(new Suspect(Suspect.Kind.COLLECTOR, s.from() / 1e9, s.to() / 1e9)));
    }

    /** Stops listening; the recorded pauses remain. May be called repeatedly. */
    @Override
    public void close() {
        for (NotificationEmitter emitter : heard) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("the listener was there", e);
            }
        }
        heard.clear();
    }
}
