package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A row in pieces has the same hash as the whole row. */
final class RowHashTest {
    private static final String JSON =
            "{\"a\":-12.50e3,\"b\\n\\u0001\u00e4\":[true,false,null,\"\\\\x\\\"\"],\"a\":{\"c\":7}}";

    private static long hash(byte[] text, int first, int second, boolean mayRepeat) {
        JsonHash hash = new JsonHash();
        hash.begin(mayRepeat);
        hash.more(text, 0, first, false);
        hash.more(Arrays.copyOfRange(text, first, second), 0, second - first, false);
        hash.more(text, second, text.length, true);
        return hash.end();
    }

    @Test
    void hashDoesNotDependOnHowARowIsSplit() {
        byte[] text = JSON.getBytes(StandardCharsets.UTF_8);
        for (boolean mayRepeat : new boolean[] {false, true}) {
            long whole = new JsonHash().of(text, 0, text.length, mayRepeat);
            for (int first = 0; first <= text.length; first++) {
                for (int second = first; second <= text.length; second++) {
                    assertThat(hash(text, first, second, mayRepeat))
                            .as("cut at " + first + " and " + second)
                            .isEqualTo(whole);
                }
            }
        }
        assertThat(new JsonHash().of(text, 0, text.length, true))
                .isNotEqualTo(new JsonHash().of(text, 0, text.length, false));
    }

    @Test
    void hashesANumberToItsEnd() {
        byte[] text = "12345".getBytes(StandardCharsets.UTF_8);
        long whole = new JsonHash().of(text, 0, text.length, false);
        assertThat(hash(text, 2, 4, false)).isEqualTo(whole);
        assertThat(new JsonHash().of(text, 0, 4, false)).isNotEqualTo(whole);
    }
}
