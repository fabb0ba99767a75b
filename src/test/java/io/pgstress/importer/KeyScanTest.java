package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The scan for the type of the keys, which reads the whole input. */
final class KeyScanTest {
    @Test
    void interruptEndsTheScan() {
        DumpCollection collection = new DumpCollection("db", "c", "", "c.bson", -1);
        KeyScan scan = new KeyScan(Set.of(), false);
        scan.begin(collection);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> scan.chunk(collection, new Chunk(0))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
