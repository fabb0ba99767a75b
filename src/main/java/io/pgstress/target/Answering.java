package io.pgstress.target;

import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Whether every server of a cluster answers. A server that is down makes statements fail; one that stands still makes them
 * wait for ever, and with them whoever has sent them, so that it has to be known before. One that this machine cannot reach,
 * as it is behind a firewall, is left alone: the others may.
 */
public final class Answering {
    private static final int MOST_SECONDS = 10;
    private static final int MAX_SECONDS_IF_DOWN = 3;

    private Answering() {}

    /**
     * Asks all servers of the target's cluster, at once.
     *
     * @throws TargetException where one takes the connection and does not answer
     */
    public static void check(Target target) {
        check(target.first().connector(), target.dialect());
    }

    /** The same of the cluster that this server belongs to. */
    public static void check(Connector first, Dialect dialect) {
        try {
            check(ClusterNode.ofCluster(first, dialect), MOST_SECONDS);
        } catch (SQLException e) {
            throw Target.unreachable(first.endpoint(), e);
        }
    }

    /** What follows the message of a statement that failed: the servers of the cluster that are down; empty: none is. */
    public static String namesOfDown(Target target) {
        StringJoiner down = new StringJoiner(", ", "; down: ", "");
        down.setEmptyValue("");
        try {
            for (ClusterNode member : ClusterNode.ofCluster(target.first().connector(), target.dialect())) {
                if (isDown(member)) {
                    down.add(member.name() + " (" + member.role() + ")");
                }
            }
        } catch (SQLException e) {
            return "; the cluster's servers could not be asked: " + ServerErrors.sampleOf(e);
        }
        return down.toString();
    }

    /** Whether its machine refuses connections, or the server says that it starts, stops or recovers. */
    static boolean isDown(ClusterNode member) {
        try (Connection connection = member.connector().openControl(MAX_SECONDS_IF_DOWN, MAX_SECONDS_IF_DOWN)) {
            return connection.isClosed();
        } catch (SQLException e) {
            return !ServerErrors.isTimeout(e) && ServerErrors.isConnectionLost(e);
        }
    }

    /** @param seconds that one may take to answer */
    static void check(List<ClusterNode> members, int seconds) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "answering");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Callable<Boolean>> questions = members.stream()
                    .map(member -> (Callable<Boolean>) () -> answers(member, seconds))
                    .toList();
            // connecting and the answer each have their time; a second more for what else there is
            List<Future<Boolean>> answers = threads.invokeAll(questions, 2L * seconds + 1, TimeUnit.SECONDS);
            StringJoiner silent = new StringJoiner(", ");
            for (int i = 0; i < answers.size(); i++) {
                if (!hasAnswered(answers.get(i))) {
                    silent.add(members.get(i).name() + " (" + members.get(i).role() + ")");
                }
            }
            if (silent.length() > 0) {
                throw new TargetException(silent + ": no answer within " + seconds
                        + " s though connections are taken; statements that go there would wait as long as that lasts");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted before the servers of the cluster had answered", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean hasAnswered(Future<Boolean> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (CancellationException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static boolean answers(ClusterNode member, int seconds) {
        try (Connection connection = member.connector().openControl(seconds, seconds);
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
            return true;
        } catch (SQLException e) {
            return !ServerErrors.isTimeout(e) || ServerErrors.isUnreached(e);
        }
    }
}
