package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bytes of open and closed sockets, each once. */
final class ByteCounterTest {
    private final ByteCounter counter = new ByteCounter();
    private final ByteCounter.OfSocket first = counter.newSocket();
    private final ByteCounter.OfSocket second = counter.newSocket();

    private void transfer() {
        first.in(100);
        first.out(7);
        second.in(20);
        second.out(3);
        first.in(1);
    }

    private void assertAll() {
        assertThat(counter.bytesIn()).isEqualTo(121);
        assertThat(counter.bytesOut()).isEqualTo(10);
    }

    @Test
    void addsUpAllSockets() {
        transfer();
        assertAll();
        first.close();
        assertAll();
        second.close();
        assertAll();
    }

    /** A client that gives up closes its socket, and the driver closes it again. */
    @Test
    void socketThatIsClosedTwiceCountsOnce() {
        transfer();
        first.close();
        first.close();
        second.close();
        first.close();
        assertAll();
    }
}
