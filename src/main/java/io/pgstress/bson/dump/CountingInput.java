package io.pgstress.bson.dump;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An input that counts the bytes read from it; any thread may read the count. */
final class CountingInput extends FilterInputStream {
    private volatile long count;

    CountingInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        add(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] target, int at, int wanted) throws IOException {
        int read = in.read(target, at, wanted);
        add(Math.max(0, read));
        return read;
    }

    /** Only the reading thread writes. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int read) {
        count += read;
    }
}
