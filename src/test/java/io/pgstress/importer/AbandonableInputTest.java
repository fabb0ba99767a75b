package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that may never come. */
@Timeout(60)
final class AbandonableInputTest {
    private final Random random = new Random(5);

    /** Gives a few bytes at a time. */
    private InputStream inParts(byte[] bytes) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(byte[] target, int at, int count) throws IOException {
                return super.read(target, at, Math.min(count, 1 + random.nextInt(100_000)));
            }
        };
    }

    @Test
    void givesAllBytes() throws IOException {
        byte[] bytes = new byte[3_000_001];
        random.nextBytes(bytes);
        try (InputStream in = new AbandonableInput(() -> inParts(bytes))) {
            assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
            byte[] rest = in.readAllBytes();
            assertThat(rest).hasSize(bytes.length - 1).endsWith(bytes[bytes.length - 1]);
            assertThat(java.util.Arrays.equals(rest, 0, rest.length, bytes, 1, bytes.length))
                    .isTrue();
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void reportsWhyItCannotBeOpened() throws IOException {
        try (InputStream in = new AbandonableInput(() -> {
            throw new IOException("no such pipe");
        })) {
            assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("no such pipe");
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    /** Whoever reads would wait for ever for a thread that has ended. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class})
    void reportsWhateverEndsItsThread(Class<? extends Throwable> kind) throws IOException {
        try (InputStream in = new AbandonableInput(() -> failing(kind))) {
            assertThat(in.readNBytes(3)).hasSize(3);
            assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasCauseInstanceOf(kind);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    /** Fails after three bytes. */
    private static InputStream failing(Class<? extends Throwable> kind) {
        return new ByteArrayInputStream(new byte[3]) {
            @Override
            public synchronized int read(byte[] target, int at, int count) {
                int read = super.read(target, at, count);
                if (read > 0) {
                    return read;
                }
                if (kind == OutOfMemoryError.class) {
                    throw new OutOfMemoryError("planted");
                }
                throw new IllegalStateException("planted");
            }
        };
    }

    @Test
    void interruptEndsWaiting() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger ignored = new AtomicInteger();
        try (InputStream in = new AbandonableInput(() -> {
            while (true) { // as open(2), which no interrupt ends
                try {
                    never.await();
                } catch (InterruptedException e) {
                    ignored.incrementAndGet();
                }
            }
        })) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
