package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops that send and receive for their threads. */
@EveryJdk
@Timeout(30)
final class RingPollingTest {
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private EventLoops loops;
    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel peer;
    private Readiness readiness;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        assumeTrue(RingPolling.isAvailable(), "io_uring: it needs Linux 6.1, and may be forbidden");
        loops = new EventLoops(2, RingPolling::open, broken::add);
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = SocketChannel.open(server.getLocalAddress());
        peer = server.accept();
        readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
    }

    @AfterEach
    void close() throws IOException {
        assertThat(broken).isEmpty();
        if (loops != null) {
            loops.close();
            server.close();
            client.close();
            peer.close();
        }
    }

    @Test
    void resultsNameIt() {
        assertThat(loops.polling()).isEqualTo("io_uring");
    }

    @Test
    void sendsAndReceivesOnTheLoopOfEachThread() throws Exception {
        for (int i = 0; i < 100; i++) {
            byte number = (byte) i;
            CompletableFuture<Integer> answer = onLoop(
                    () -> { // on the two loops alternately
                        assertThat(readiness.send(bytes(number))).isTrue();
                        return receive(0);
                    });
            peer.write(ByteBuffer.wrap(new byte[] {(byte) (1 + read(1)[0])}));
            assertThat(answer.get()).isEqualTo((byte) (number + 1));
        }
    }

    /** It leaves at the end of the loop's turn. */
    @Test
    void waitOfAMessageIsTheClients() throws Exception {
        onLoop(() -> {
                    assertThat(readiness.send(bytes(1))).isTrue();
                    for (long start = System.nanoTime(); System.nanoTime() - start < 20_000_000; ) {
                        Thread.onSpinWait();
                    }
                    return readiness;
                })
                .get();
        read(1);
        long[] waits = loops.turnWaits();
        assertThat(Arrays.stream(waits, 25, waits.length).sum()).isEqualTo(1); // 2 to the power of 24 are 17 ms
    }

    @Test
    void connectionMovesBetweenLoopsWhileTheyAreBusy() throws Exception {
        int most = 20_000;
        CompletableFuture<Integer> echo = LoopTasks.on(Thread::new, () -> {
            for (int i = 0; i < most; i++) {
                peer.write(ByteBuffer.wrap(read(1)));
            }
            return most;
        });
        Semaphore lent = new Semaphore(1);
        List<CompletableFuture<Integer>> clients = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            clients.add(onLoop(() -> {
                for (int i = 0; i < most / 4; i++) {
                    lent.acquire();
                    assertThat(readiness.send(bytes(i))).isTrue();
                    assertThat(receive(0)).isEqualTo((byte) i);
                    lent.release();
                }
                return most / 4;
            }));
        }
        for (CompletableFuture<Integer> one : clients) {
            assertThat(one.get()).isEqualTo(most / 4);
        }
        assertThat(echo.get()).isEqualTo(most);
    }

    @Test
    void timeLimitLeavesTheConnectionUsable() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> onLoop(() -> receive(1)).get()).hasCauseInstanceOf(SocketTimeoutException.class);
        }
        peer.write(bytes(7));
        assertThat(onLoop(() -> receive(TimeUnit.SECONDS.toNanos(20))).get()).isEqualTo(7);
    }

    /** Each answer arrives about when the time is over. */
    @Test
    void answerAtTheTimeLimitIsReceivedOnce() throws Exception {
        CompletableFuture<Integer> sum = onLoop(() -> {
            int found = 0;
            for (int i = 0; i < 2_000; i++) {
                readiness.send(bytes(1));
                int answer = 0;
                while (answer == 0) { // it still arrives
                    answer = receiveWithin(20_000);
                }
                found += answer;
            }
            return found;
        });
        for (int i = 0; i < 2_000; i++) {
            peer.write(ByteBuffer.wrap(read(1)));
        }
        assertThat(sum.get()).isEqualTo(2_000);
    }

    @Test
    void closingEndsAReceiveAndNotifiesThePeer() throws Exception {
        CompletableFuture<Integer> waiting = waiting();
        readiness.close();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(IOException.class);
        assertThat(peer.read(ByteBuffer.allocate(1))).isNegative();
    }

    @Test
    void interruptEndsAReceiveAndCloses() throws Exception {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread thread = loops.newThread(() -> LoopTasks.complete(end, () -> receive(0)));
        thread.start();
        thread.interrupt();
        assertThatThrownBy(end::get).hasCauseInstanceOf(IOException.class);
        assertThat(client.isOpen()).isFalse();
    }

    /** As the driver's last message. */
    @Test
    void messageBeforeTheCloseIsSent() throws Exception {
        onLoop(() -> {
                    assertThat(readiness.send(bytes(9))).isTrue();
                    readiness.close();
                    return 0;
                })
                .get();
        assertThat(read(1)).containsExactly(9);
        assertThat(peer.read(ByteBuffer.allocate(1))).isNegative();
    }

    @Test
    void threadOnNoLoopSendsAfterWhatTheLoopWasGiven() throws Exception {
        for (int i = 0; i < 200; i += 2) {
            byte next = (byte) i;
            CountDownLatch given = new CountDownLatch(1);
            CompletableFuture<Integer> giver = onLoop(() -> {
                assertThat(readiness.send(bytes(next))).isTrue();
                given.countDown();
                return 0;
            });
            given.await();
            assertThat(readiness.send(bytes(0))).isFalse();
            readiness.flush();
            client.write(bytes(next + 1));
            assertThat(read(2)).containsExactly(next, (byte) (next + 1));
            giver.get();
        }
    }

    @Test
    void fullConnectionTakesTheRestLaterAndInOrder() throws Exception {
        ByteBuffer large = ByteBuffer.allocate(ExchangeBuffers.BYTES);
        int before = onLoop(() -> {
                    int written = 0;
                    for (int n; (n = client.write(large.clear())) > 0; ) {
                        written += n;
                    }
                    return written;
                })
                .get();
        CompletableFuture<Integer> last = onLoop(() -> {
            for (int i = 0; i < large.capacity(); i++) {
                large.put(i, (byte) i);
            }
            assertThat(readiness.send(large.clear())).isTrue();
            readiness.flush();
            ByteBuffer end = bytes(1);
            while (client.write(end) == 0) {
                readiness.await(SelectionKey.OP_WRITE, 0);
            }
            return 0;
        });
        assertThat(read(before)).containsOnly(0);
        byte[] rest = read(large.capacity() + 1);
        assertThat(last.get()).isZero();
        for (int i = 0; i < large.capacity(); i++) {
            assertThat(rest[i]).isEqualTo((byte) i);
        }
        assertThat(rest[large.capacity()]).isOne();
    }

    @Test
    void longMessageIsLeftToTheThread() throws Exception {
        assertThat(onLoop(() -> readiness.send(ByteBuffer.allocate(ExchangeBuffers.BYTES + 1)))
                        .get())
                .isFalse();
    }

    @Test
    void endOfTheStream() throws Exception {
        CompletableFuture<Integer> waiting = onLoop(() -> readiness.receive(ByteBuffer.allocate(1), 0));
        peer.close();
        assertThat(waiting.get()).isEqualTo(-1);
    }

    @Test
    void resetFailsTheReceive() throws Exception {
        CompletableFuture<Integer> waiting = waiting();
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        assertThatThrownBy(waiting::get)
                .hasCauseInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void sendAfterThePeersEndFailsTheReceiveAtTheLatest() throws Exception {
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        assertThatThrownBy(() -> onLoop(() -> {
                            readiness.send(bytes(1));
                            return receive(0);
                        })
                        .get())
                .hasCauseInstanceOf(IOException.class);
    }

    /** Each of the loop's places serves a later connection when its own is closed, also if that was waiting. */
    @Test
    void closedConnectionsLeaveTheirPlaces() throws Exception {
        try (EventLoops one = new EventLoops(1, RingPolling::open, broken::add)) {
            for (int i = 0; i < 2_100; i++) {
                useOnce(one, i);
            }
        }
    }

    private void useOnce(EventLoops loop, int i) throws Exception {
        try (SocketChannel next = SocketChannel.open(server.getLocalAddress());
                SocketChannel other = server.accept()) {
            boolean closesFirst = i % 2 == 0;
            CompletableFuture<Boolean> isServed = LoopTasks.on(loop, () -> {
                Readiness of = Readiness.onCurrentLoop(next);
                boolean isTaken = of.send(bytes(1));
                if (closesFirst) {
                    of.close();
                } else {
                    other.write(bytes(1));
                    of.receive(ByteBuffer.allocate(1), 0);
                    of.close();
                }
                return isTaken;
            });
            assertThat(isServed.get()).as("connection %d", i).isTrue();
        }
    }

    /** A thread that waits on a loop, in the kernel or about to. */
    private CompletableFuture<Integer> waiting() throws Exception {
        CompletableFuture<Integer> waiting = onLoop(() -> receive(0));
        peer.write(bytes(7));
        waiting.get();
        return onLoop(() -> receive(0));
    }

    /** Returns 0 if nothing has arrived. */
    private int receiveWithin(long nanos) throws IOException {
        try {
            return receive(nanos);
        } catch (SocketTimeoutException e) {
            return 0;
        }
    }

    private int receive(long nanos) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int n = readiness.receive(one, nanos);
        if (n != 1) {
            throw new IOException("received " + n);
        }
        return one.get(0);
    }

    private byte[] read(int bytes) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(bytes);
        while (all.hasRemaining()) {
            if (peer.read(all) < 0) {
                throw new IOException("the end");
            }
        }
        return all.array();
    }

    private static ByteBuffer bytes(int number) {
        return ByteBuffer.wrap(new byte[] {(byte) number});
    }

    private <T> CompletableFuture<T> onLoop(Callable<T> task) {
        return LoopTasks.on(loops, task);
    }
}
