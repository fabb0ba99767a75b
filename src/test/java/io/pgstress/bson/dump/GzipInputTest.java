package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

class GzipInputTest {
    private static byte[] gunzip(byte[] bytes) throws IOException {
        try (GzipInput in = new GzipInput(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    private static byte[] data(int size) {
        byte[] data = new byte[size];
        new Random(1).nextBytes(data);
        return data;
    }

    @Test
    void readsConsecutiveMembersAndSkipsPadding() throws Exception {
        byte[] one = data(200_000);
        byte[] two = new byte[300_000];
        byte[] empty = Documents.gzip(new byte[0]);
        byte[] all = Documents.concat(empty, Documents.gzip(one), empty, Documents.gzip(two), new byte[512]);
        assertThat(gunzip(all)).isEqualTo(Documents.concat(one, two));
    }

    @Test
    void detectsDataTruncatedAnywhere() {
        byte[] whole = Documents.gzip(data(100));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> gunzip(cut)).isInstanceOf(ZipException.class);
        }
    }

    @Test
    void detectsAChangedByte() {
        byte[] whole = Documents.gzip(data(100));
        // Byte 10 is the block's header, in which some bits have no meaning.
        for (int i = 11; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            assertThatThrownBy(() -> gunzip(changed)).isInstanceOf(ZipException.class);
        }
    }

    @Test
    void refusesGarbageAfterTheData() {
        byte[] whole = Documents.concat(Documents.gzip(data(10)), new byte[] {1, 2, 3});
        assertThatThrownBy(() -> gunzip(whole))
                .isInstanceOf(ZipException.class)
                .hasMessage("garbage after the gzip data");
    }
}
