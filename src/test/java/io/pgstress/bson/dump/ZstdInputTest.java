package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.pgstress.bson.CompressionException;
import io.pgstress.bson.Documents;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ZstdInputTest {
    private static final byte[] SKIPPABLE = HexFormat.of().parseHex("5a2a4d1803000000616263");

    private static byte[] decompressed(byte[] bytes) throws IOException {
        try (ZstdInput in = new ZstdInput(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    private static byte[] frame(byte[] plain) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.setChecksum(true).compress(plain);
        }
    }

    private static byte[] data(int size) {
        byte[] data = new byte[size];
        new Random(1).nextBytes(data);
        return data;
    }

    @Test
    void readsConsecutiveFramesAndPassesOverSkippableOnes() throws Exception {
        byte[] one = data(400_000);
        byte[] two = new byte[3_000_000];
        byte[] all = Documents.concat(SKIPPABLE, frame(one), SKIPPABLE, frame(new byte[0]), frame(two), SKIPPABLE);
        assertThat(ZstdInput.begins(all)).isTrue();
        assertThat(decompressed(all)).isEqualTo(Documents.concat(one, two));
    }

    /** The output of {@code printf 'pgstress %s' 1 2 3 | zstd -c}. */
    @Test
    void readsWhatTheCommandWrites() throws Exception {
        byte[] bytes = HexFormat.of().parseHex("28b52ffd0458a50000607067737472657373203132330200a0881605090c00c6a3");
        assertThat(ZstdInput.begins(bytes)).isTrue();
        assertThat(decompressed(bytes)).asString().isEqualTo("pgstress 1pgstress 2pgstress 3");
    }

    /** Also in a later frame whose beginning was read together with the end of the one before. */
    @Test
    void detectsDataTruncatedAnywhere() {
        byte[] one = frame(data(100));
        byte[] whole = Documents.concat(one, SKIPPABLE, frame(data(200)));
        for (int length = 4; length < whole.length; length++) {
            if (length == one.length || length == one.length + SKIPPABLE.length) {
                continue; // between frames
            }
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decompressed(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(CompressionException.class)
                    .hasMessage("truncated zstd data");
        }
    }

    @Test
    void returnsWhatPrecedesAFault() throws Exception {
        byte[] plain = data(1_000_000);
        byte[] cut = Arrays.copyOf(Zstd.compress(plain), 700_000);
        byte[] read = new byte[plain.length];
        int count = 0;
        try (ZstdInput in = new ZstdInput(new ByteArrayInputStream(cut))) {
            while (true) {
                count += in.read(read, count, read.length - count);
            }
        } catch (CompressionException e) {
            assertThat(e).hasMessage("truncated zstd data");
        }
        assertThat(count).isGreaterThan(500_000);
        assertThat(Arrays.copyOf(read, count)).isEqualTo(Arrays.copyOf(plain, count));
    }

    @Test
    void detectsAChangedByte() {
        byte[] whole = frame(data(100));
        for (int i = 0; i < whole.length; i++) {
            if (i == 4) {
                continue; // the header's descriptor, in which this bit has no meaning
            }
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            assertThatThrownBy(() -> decompressed(changed)).as("byte %d", i).isInstanceOf(CompressionException.class);
        }
    }

    @Test
    void refusesGarbageAfterTheData() {
        byte[] whole = Documents.concat(frame(data(10)), "garbage".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> decompressed(whole))
                .isInstanceOf(CompressionException.class)
                .hasMessage("garbage after the zstd data");
    }
}
