package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of loops that wait for sockets or each other, and the end of loops. Two loops are enough for everything that can go wrong between loops. */
@EveryJdk
@Timeout(30)
@ParameterizedClass(name = "io_uring: {0}")
@ValueSource(booleans = {false, true})
final class EventLoopsTest {
    private final Polling.Opener opener;
    private final boolean isRing;
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private EventLoops loops;
    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel peer;

    EventLoopsTest(boolean isRing) {
        this.isRing = isRing;
        this.opener = isRing ? RingPolling::open : (ready, waits) -> new SelectorPolling(ready);
    }

    @BeforeEach
    void connect() throws IOException {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        assumeTrue(!isRing || RingPolling.isAvailable(), "io_uring: it needs Linux 6.1, and may be forbidden");
        loops = new EventLoops(2, opener, broken::add);
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = SocketChannel.open(server.getLocalAddress());
        peer = server.accept();
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
    void wakesTheWaitingThreadWhenTheAnswerArrives() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Integer> read = onLoop(() -> read(readiness)); // on the two loops alternately
            peer.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(read.get()).isEqualTo(i);
        }
    }

    @Test
    void threadOutsideALoopLeavesTheChannelUnchanged() throws Exception {
        assertThat(Readiness.onCurrentLoop(client)).isNull();
        assertThat(client.isBlocking()).isTrue();
    }

    @Test
    void threadOutsideALoopMayWaitForTheSameChannel() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        CompletableFuture<Integer> read = LoopTasks.on(Thread::new, () -> read(readiness));
        peer.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(read.get()).isEqualTo(7);
    }

    @Test
    void waitTimesOutAndLeavesTheChannelUsable() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        assertThat(onLoop(() -> readiness.await(SelectionKey.OP_READ, TimeUnit.MILLISECONDS.toNanos(20)))
                        .get())
                .isFalse();
        peer.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(onLoop(() -> read(readiness)).get()).isEqualTo(7);
    }

    @Test
    void closingWakesTheWaitingThreadAndNotifiesThePeer() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        CompletableFuture<Integer> read = onLoop(() -> read(readiness));
        peer.write(ByteBuffer.wrap(new byte[] {7}));
        read.get();
        CompletableFuture<Integer> waiting = onLoop(() -> read(readiness));
        readiness.close();
        assertThat(waiting.handle((n, e) -> e).get()).isInstanceOf(IOException.class);
        assertThat(peer.read(ByteBuffer.allocate(1))).isNegative();
    }

    @Test
    void interruptClosesTheChannelAsForJdkVirtualThreads() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread thread = loops.newThread(() -> LoopTasks.complete(end, () -> read(readiness)));
        thread.start();
        thread.interrupt();
        assertThat(end.handle((n, e) -> e).get()).isInstanceOf(IOException.class);
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void writerWaitsForThePeerToRead() throws Exception {
        int bytes = 16 << 20;
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        CountDownLatch full = new CountDownLatch(1);
        CompletableFuture<Integer> written = onLoop(() -> {
            ByteBuffer all = ByteBuffer.allocate(bytes);
            int waits = 0;
            while (all.hasRemaining()) {
                if (client.write(all) == 0) {
                    full.countDown();
                    readiness.await(SelectionKey.OP_WRITE, 0);
                    waits++;
                }
            }
            return waits;
        });
        full.await();
        ByteBuffer taken = ByteBuffer.allocate(bytes);
        while (taken.hasRemaining()) {
            assertThat(peer.read(taken)).isPositive();
        }
        assertThat(written.get()).isPositive();
    }

    @Test
    void loopSleepsWhileDataIsUnread() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        assertThat(onLoop(() -> readiness.await(SelectionKey.OP_READ, TimeUnit.MILLISECONDS.toNanos(1)))
                        .get())
                .isFalse();
        peer.write(ByteBuffer.wrap(new byte[] {7}));
        long before = LoopTasks.cpuNanos();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(LoopTasks.cpuNanos() - before).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(onLoop(() -> read(readiness)).get()).isEqualTo(7);
    }

    @Test
    void busyThreadCanYieldToOthers() throws Exception {
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        AtomicBoolean isRead = new AtomicBoolean();
        onLoop(() -> 0).get(); // so that the next thread is on the watching loop
        CompletableFuture<Integer> busy = onLoop(() -> {
            int turns = 0;
            while (!isRead.get()) {
                readiness.yieldToOthers();
                turns++;
            }
            return turns;
        });
        CompletableFuture<Integer> other = onLoop(() -> 0);
        CompletableFuture<Integer> reader = onLoop(() -> {
            int found = read(readiness);
            isRead.set(true);
            return found;
        });
        other.get();
        peer.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(reader.get()).isEqualTo(7);
        assertThat(busy.get()).isPositive();
    }

    @Test
    void connectionCanMoveFromLoopToLoop() throws Exception {
        int most = 20_000;
        Readiness readiness = onLoop(() -> Readiness.onCurrentLoop(client)).get();
        CompletableFuture<Integer> echo = LoopTasks.on(Thread::new, () -> {
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < most; i++) {
                peer.read(one.clear());
                peer.write(one.flip());
            }
            return most;
        });
        Semaphore lent = new Semaphore(1);
        List<CompletableFuture<Integer>> clients = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            clients.add(onLoop(() -> {
                for (int i = 0; i < most / 4; i++) {
                    lent.acquire();
                    client.write(ByteBuffer.wrap(new byte[] {1}));
                    read(readiness);
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

    /** A busy loop has not stopped watching it yet, and must not do so any more. */
    @Test
    void connectionCanComeBackBeforeItsLoopHasLeftIt() throws Exception {
        CompletableFuture<Readiness> known = new CompletableFuture<>();
        AtomicBoolean mayReturn = new AtomicBoolean();
        CompletableFuture<Integer> first = onLoop(() -> {
            Readiness readiness = Readiness.onCurrentLoop(client);
            read(readiness);
            known.complete(readiness);
            while (!mayReturn.get()) {
                Thread.onSpinWait(); // keeps the loop busy
            }
            readiness.await(SelectionKey.OP_READ, 0);
            return read(readiness);
        });
        peer.write(ByteBuffer.wrap(new byte[] {1}));
        Readiness readiness = known.get();
        CompletableFuture<Integer> second = onLoop(
                () -> { // on the other one
                    readiness.await(SelectionKey.OP_READ, 0);
                    return read(readiness);
                });
        peer.write(ByteBuffer.wrap(new byte[] {2}));
        assertThat(second.get()).isEqualTo(2);
        mayReturn.set(true);
        peer.write(ByteBuffer.wrap(new byte[] {3}));
        assertThat(first.get()).isEqualTo(3);
    }

    /**
     * As with a pool whose own threads use its connections. When threads of the loop changed its selector themselves, one of them
     * could be the next owner of a monitor of the selector that the loop's thread waited for, and all stood still.
     */
    @Test
    void clientsAndOtherThreadsThatWaitAtOneLoopNeverBlockIt() throws Exception {
        int waits = 5_000;
        AtomicBoolean isOver = new AtomicBoolean();
        try (EventLoops one = new EventLoops(1, opener, broken::add)) {
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            List<CompletableFuture<Integer>> others = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Readiness readiness = alwaysReady(one);
                clients.add(LoopTasks.on(one, () -> awaitAlternately(readiness, 0, () -> false, waits)));
            }
            for (int i = 0; i < 2; i++) {
                Readiness readiness = alwaysReady(one);
                others.add(LoopTasks.on(
                        Thread::new, () -> awaitAlternately(readiness, 1, isOver::get, Integer.MAX_VALUE)));
            }
            for (CompletableFuture<Integer> client : clients) {
                assertThat(client.get()).isEqualTo(waits);
            }
            isOver.set(true);
            for (CompletableFuture<Integer> other : others) {
                assertThat(other.get()).isPositive();
            }
        } finally {
            isOver.set(true);
        }
    }

    /** Of a channel that can always be read and written. */
    private Readiness alwaysReady(EventLoops loop) throws Exception {
        SocketChannel socket = SocketChannel.open(server.getLocalAddress());
        server.accept().write(ByteBuffer.wrap(new byte[] {7}));
        return LoopTasks.on(loop, () -> Readiness.onCurrentLoop(socket)).get();
    }

    /** Each wait is for something else than the last. */
    private static int awaitAlternately(Readiness readiness, long nanos, BooleanSupplier isOver, int times)
            throws IOException {
        try (readiness) {
            int waits = 0;
            for (; waits < times && !isOver.getAsBoolean(); waits++) {
                readiness.await(waits % 2 == 0 ? SelectionKey.OP_WRITE : SelectionKey.OP_READ, nanos);
            }
            return waits;
        }
    }

    @Test
    void threadsThatWaitForEachOtherContinue() throws Exception {
        BlockingQueue<Integer> forth = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> back = new LinkedBlockingQueue<>();
        CompletableFuture<Integer> sum = onLoop(() -> {
            int found = 0;
            for (int i = 0; i < 1000; i++) {
                forth.put(i);
                found += back.take();
            }
            return found;
        });
        CompletableFuture<Integer> other = onLoop(() -> {
            for (int i = 0; i < 1000; i++) {
                back.put(forth.take());
            }
            return 1000;
        });
        assertThat(other.get()).isEqualTo(1000);
        assertThat(sum.get()).isEqualTo(999 * 1000 / 2);
    }

    @Test
    void closedLoopsLetTheirThreadsEnd() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> last = onLoop(() -> {
            go.await();
            return 1;
        });
        loops.close();
        go.countDown();
        assertThat(last.get()).isOne();
    }

    @Test
    void closedLoopSleepsWhileAThreadStillWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Boolean> waits = new CompletableFuture<>();
        CompletableFuture<Integer> last = onLoop(() -> {
            waits.complete(true);
            go.await();
            return 1;
        });
        waits.get();
        loops.close();
        long before = LoopTasks.cpuNanos();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(LoopTasks.cpuNanos() - before).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        go.countDown();
        assertThat(last.get()).isOne();
    }

    /** As on JDK 26, where it takes something else. */
    @Test
    void jdkWhoseBuilderHasNoSuchConstructorHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.Thread")).isNull();
    }

    @Test
    void jdkWithoutTheBuilderHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.ThreadBuilders$Gone")).isNull();
    }

    private int read(Readiness readiness) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        while (client.read(one) == 0) {
            readiness.await(SelectionKey.OP_READ, 0);
        }
        return one.get(0);
    }

    private <T> CompletableFuture<T> onLoop(Callable<T> task) {
        return LoopTasks.on(loops, task);
    }
}
