package io.pgstress.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.measure.OperationLog;
import io.pgstress.measure.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The formats are those of "Per-Transaction Logging" and "Aggregated Logging" in the documentation of pgbench 15. */
final class PgbenchLogTest {
    private static final long SECOND = 1_000_000_000;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final long now = System.nanoTime();

    private List<String> lines() {
        return file.toString(StandardCharsets.US_ASCII).lines().toList();
    }

    /** A line without the time of its end. */
    private static String withoutTime(String line) {
        String[] parts = line.split(" ", -1);
        return String.join(" ", Arrays.copyOf(parts, 4)) + "|"
                + String.join(" ", Arrays.copyOfRange(parts, 6, parts.length));
    }

    @Test
    void aLinePerOperationHasItsClientNumberTimeAndScript() throws Exception {
        PgbenchLog log = PgbenchLog.to(file, 0, false);
        OperationLog second = log.ofClient(2);
        second.ended(1, Outcome.OK, false, 1_499_600, 0, now, 0);
        second.ended(0, Outcome.FAILED, false, 5_000, 0, now, 0);
        second.ended(0, Outcome.MISS, false, 499, 0, now, 0);
        second.handOver();
        second.ended(3, Outcome.OK, false, SECOND, 0, now, 0);
        second.handOver();
        second.handOver();

        assertThat(log.close()).isZero();

        assertThat(lines())
                .extracting(PgbenchLogTest::withoutTime)
                .containsExactly("2 1 1500 1|", "2 2 failed 0|", "2 3 0 0|", "2 4 1000000 3|");
    }

    @Test
    void openLoadsHaveTheLagAndRetriedOnesTheRetries() throws Exception {
        PgbenchLog log = PgbenchLog.to(file, 0, true);
        OperationLog client = log.ofClient(0);
        client.ended(0, Outcome.OK, true, 7_000_000, 3_000_000, now, 12);
        client.ended(0, Outcome.FAILED, true, 9_000_000, 4_000_000, now, 1);
        client.handOver();

        log.close();

        assertThat(lines())
                .extracting(PgbenchLogTest::withoutTime)
                .containsExactly("0 1 7000 0|3000 12", "0 2 failed 0|0 1");
    }

    @Test
    void endIsTheTimeOfTheWallClock() throws Exception {
        Instant before = Instant.now();
        PgbenchLog log = PgbenchLog.to(file, 0, false);
        OperationLog client = log.ofClient(0);
        client.ended(0, Outcome.OK, false, 1, 0, System.nanoTime() + 3 * SECOND, 0);
        client.handOver();
        log.close();

        String[] parts = lines().get(0).split(" ", -1);
        assertThat(Instant.ofEpochSecond(Long.parseLong(parts[4]), 1000 * Long.parseLong(parts[5])))
                .isBetween(
                        before.plusSeconds(3).minusMillis(1),
                        Instant.now().plusSeconds(3).plusMillis(1));
    }

    @Test
    void manyOperationsOfAClientStayInOrder() throws Exception {
        PgbenchLog log = PgbenchLog.to(file, 0, false);
        OperationLog client = log.ofClient(0);
        for (int i = 0; i < 10_000; i++) {
            client.ended(0, Outcome.OK, false, i * 1000L, 0, now, 0);
        }
        client.handOver();

        assertThat(log.close()).isZero();

        List<String> lines = lines();
        assertThat(lines).hasSize(10_000);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).startsWith("0 " + (i + 1) + " " + i + " ");
        }
    }

    @Test
    void aLinePerIntervalHasSumsOfTimesLagsAndRetries() throws Exception {
        PgbenchLog log = PgbenchLog.to(file, 2, true);
        OperationLog client = log.ofClient(0);
        client.ended(0, Outcome.OK, true, 3_000_000, 1_000_000, now, 0);
        client.ended(0, Outcome.OK, true, 5_000_000, 2_000_000, now, 2);
        client.ended(0, Outcome.FAILED, true, 9_000_000, 0, now, 1);
        client.ended(0, Outcome.OK, true, 1_000_000, 0, now + 4 * SECOND, 0);
        client.handOver();

        log.close();

        assertThat(lines()).hasSize(3).allMatch(line -> line.split(" ", -1).length == 15);
        assertThat(lines())
                .extracting(line -> line.replaceFirst("\\d+ ", ""))
                .containsExactly(
                        "2 8000 34000000 3000 5000 3000 5000000 1000 2000 0 2 3 0 0",
                        "0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                        "1 1000 1000000 1000 1000 0 0 0 0 0 0 0 0 0");
        List<Long> starts = lines().stream()
                .map(line -> Long.valueOf(line.split(" ", 2)[0]))
                .toList();
        assertThat(starts.get(1) - starts.get(0)).isEqualTo(2);
        assertThat(starts.get(2) - starts.get(1)).isEqualTo(2);
    }

    /** Whoever watches the file sees intervals as pgbench's, but none before its last operation was handed over. */
    @Test
    void linesOfIntervalsAreWrittenDuringTheRun() throws Exception {
        Semaphore written = new Semaphore(0);
        Semaphore looked = new Semaphore(0);
        OutputStream watched = new OutputStream() {
            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                file.write(bytes, from, length);
                IntStream.range(from, from + length)
                        .filter(i -> bytes[i] == '\n')
                        .forEach(i -> written.release());
            }

            @Override
            public void flush() {
                looked.release();
            }
        };
        PgbenchLog log = PgbenchLog.to(watched, 1, false);
        OperationLog quick = log.ofClient(0);
        OperationLog slow = log.ofClient(1);
        quick.ended(0, Outcome.OK, false, 1_000_000, 0, now - 20 * SECOND, 0);
        slow.ended(0, Outcome.OK, false, 1_000_000, 0, now - 18 * SECOND, 0);
        quick.ended(0, Outcome.OK, false, 1_000_000, 0, now - 16 * SECOND, 0);
        looked.drainPermits();
        looked.acquire(2); // the log knows what both hold, which in a run is no older than its last look
        quick.handOver();

        assertThat(written.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
        assertThat(written.tryAcquire(1, 100, TimeUnit.MILLISECONDS))
                .as("the slow client's")
                .isFalse();
        slow.handOver();
        assertThat(written.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();

        log.close();
        assertThat(lines()).extracting(line -> line.split(" ", -1)[1]).containsExactly("1", "0", "1", "0", "1");
    }

    /** The file takes nothing until the clients have ended. */
    @Test
    void aSlowFileMakesNobodyWaitAndLossesAreCounted() throws Exception {
        CountDownLatch isReady = new CountDownLatch(1);
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    isReady.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                file.write(bytes, from, length);
            }
        };
        PgbenchLog log = PgbenchLog.to(slow, 0, false, 50);
        OperationLog client = log.ofClient(0);
        int all = 200_000;
        for (int i = 0; i < all; i++) {
            client.ended(0, Outcome.OK, false, 1000, 0, now, 0);
        }
        client.handOver();
        isReady.countDown();

        long lost = log.close();

        assertThat(lost).isPositive();
        assertThat(lines().size() + lost).isEqualTo(all);
    }

    @Test
    void fileThatCannotBeWrittenIsAnError() {
        PgbenchLog log = PgbenchLog.to(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("disk full");
                    }
                },
                0,
                false);
        OperationLog client = log.ofClient(0);
        client.ended(0, Outcome.OK, false, 1000, 0, now, 0);
        client.handOver();

        assertThatThrownBy(log::close).isInstanceOf(IOException.class).hasMessage("disk full");
    }
}
