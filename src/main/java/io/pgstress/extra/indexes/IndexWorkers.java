package io.pgstress.extra.indexes;

import io.pgstress.importer.table.IndexProgress;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.loop.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates indexes over several connections of its own. Any thread may call {@link #cancel}. */
final class IndexWorkers {
    private static final long PAUSE_MILLIS = 500;

    /** A connection, its process on the server, and what it creates. */
    private record Running(Connection connection, int pid, String what) {}

    private final Connector connector;
    private final Queue<IndexTask> tasks;
    private final int total;
    private final AtomicInteger done = new AtomicInteger();
    private final Map<Thread, Running> running = new ConcurrentHashMap<>();
    private volatile boolean canceled;

    IndexWorkers(Connector connector, List<IndexTask> tasks) {
        this.connector = connector;
        this.tasks = new ConcurrentLinkedQueue<>(tasks);
        this.total = tasks.size();
    }

    /**
     * Creates all indexes; the outcome is in the tasks.
     *
     * @param observer a connection that is free meanwhile
     * @param progress receives the progress in words, about twice a second
     */
    void run(int connections, Connection observer, Consumer<String> progress)
            throws SQLException, InterruptedException {
        int count = Math.min(connections, total);
        ExecutorService threads = Executors.newFixedThreadPool(count, Daemons.named("import-index"));
        for (int i = 0; i < count; i++) {
            threads.execute(this::work);
        }
        threads.shutdown();
        boolean shown = IndexProgress.isShown(observer);
        while (!threads.awaitTermination(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            progress.accept(words(shown ? observer : null));
        }
    }

    private String words(@Nullable Connection observer) throws SQLException {
        StringBuilder words =
                new StringBuilder(String.format(Locale.ROOT, "creating indexes: %d of %d done", done.get(), total));
        for (Running each : running.values()) {
            words.append("; ").append(each.what());
            if (observer != null) {
                IndexProgress.of(observer, each.pid())
                        .ifPresent(p -> words.append(", ")
                                .append(p.phase())
                                .append(p.share() < 0 ? "" : String.format(Locale.ROOT, " %.0f%%", 100 * p.share())));
            }
        }
        return words.toString();
    }

    private void work() {
        try (Connection connection = connector.open(SessionPurpose.DDL)) {
            int pid = (int) ControlSql.number(connection, "select pg_backend_pid()");
            for (IndexTask task = tasks.poll(); task != null && !canceled; task = tasks.poll()) {
                running.put(Thread.currentThread(), new Running(connection, pid, task.shown()));
                task.create(connection);
                running.remove(Thread.currentThread());
                done.incrementAndGet();
            }
        } catch (SQLException e) {
            String why = ServerErrors.sampleWithState(e);
            for (IndexTask task = tasks.poll(); task != null; task = tasks.poll()) {
                task.failed(why);
            }
        }
    }

    /** Cancels the statements that run, and begins no other. */
    void cancel() {
        canceled = true;
        running.values().forEach(each -> DriverSession.cancel(each.connection()));
    }
}
