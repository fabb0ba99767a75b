package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.target.loop.EventLoops;
import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of one loop whose answers are all there before they ask: each could go on for ever. */
@EveryJdk
@Timeout(30)
final class FairTurnsTest {
    private static final int CLIENTS = 5;
    private static final int TURNS = 100;

    private final List<Socket> sockets = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Integer> turns = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(CLIENTS);
    private EventLoops loops;

    @BeforeEach
    void open() {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        loops = new EventLoops(1, failures::add);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (loops != null) {
            loops.close();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void clientRunsAgainOnlyAfterAllWhoseAnswersWereThere() throws Exception {
        try (ServerSocket server = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress())) {
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(client(i, server));
            }
            loops.newThread(() -> clients.forEach(Thread::start)).start(); // all of them in the next turn
            assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        }
        int allRun = firstTurnOfTheLast();
        assertThat(allRun).isLessThan(TURNS);
        for (int i = allRun; i + CLIENTS <= turns.size() && !hasEndedBefore(i + CLIENTS); i++) {
            assertThat(new HashSet<>(turns.subList(i, i + CLIENTS)))
                    .as("turns %d to %d of %s", i, i + CLIENTS, turns)
                    .hasSize(CLIENTS);
        }
    }

    private Thread client(int number, ServerSocket server) throws IOException {
        Socket socket = new CountingSocketFactory("nobody's").createSocket();
        sockets.add(socket);
        socket.connect(server.getLocalSocketAddress(), 1000);
        Socket peer = server.accept();
        sockets.add(peer);
        peer.getOutputStream().write(new byte[TURNS]);
        return loops.newThread(() -> take(number, socket));
    }

    private void take(int number, Socket socket) {
        try {
            byte[] one = new byte[1];
            for (int i = 0; i < TURNS; i++) {
                socket.getOutputStream().write(one, 0, 1);
                assertThat(socket.getInputStream().read(one, 0, 1)).isOne();
                turns.add(number);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.countDown();
        }
    }

    /** The position from which on every client has had a turn. */
    private int firstTurnOfTheLast() {
        int last = 0;
        for (int i = 0; i < CLIENTS; i++) {
            last = Math.max(last, turns.indexOf(i));
        }
        return last;
    }

    private boolean hasEndedBefore(int position) {
        for (int i = 0; i < CLIENTS; i++) {
            if (turns.lastIndexOf(i) < position) {
                return true;
            }
        }
        return false;
    }
}
