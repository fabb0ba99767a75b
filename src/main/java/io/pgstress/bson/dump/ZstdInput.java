package io.pgstress.bson.dump;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.CompressionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Decompresses zstd data: all frames in sequence, passing over skippable frames. Throws {@link CompressionException} for damaged
 * or truncated data. Not thread-safe.
 *
 * <p>The library's own {@code ZstdInputStream} is not used: if the data are cut in a later frame, and the rest of that frame was
 * read together with the end of the one before, it takes this for the end of the data.
 */
public final class ZstdInput extends InputStream {
    /** The first bytes of a frame, little-endian. */
    private static final int MAGIC = 0xfd2fb528;

    /** The magic number of a skippable frame, whose last four bits vary. */
    private static final int SKIPPABLE = 0x184d2a50;

    private static final int SKIPPABLE_MASK = 0xfffffff0;
    private static final int BUFFER = 128 * 1024;
    private static final String NAME = "zstd";

    private final InputStream in;
    private final ZstdDecompressCtx context;
    private final byte[] raw = new byte[BUFFER];
    private final ByteBuffer compressed = ByteBuffer.allocateDirect(BUFFER).flip();
    private final ByteBuffer plain = ByteBuffer.allocateDirect(BUFFER).flip();
    private boolean inFrame;
    /** Whether a frame has ended. */
    private boolean hasFrame;
    /** Whether the library may hold more decompressed bytes, because the buffer was full. */
    private boolean more;

    /**
     * Decompresses this input, which it closes.
     *
     * @throws CompressionException if the native library is not available on this platform
     */
    public ZstdInput(InputStream in) throws CompressionException {
        this.in = in;
        try {
            context = new ZstdDecompressCtx();
        } catch (LinkageError e) {
            String found = "zstd data, but the zstd library cannot be loaded here (" + e
                    + "): pipe the input through zstd -dc instead";
            throw new CompressionException(NAME, found, e);
        }
    }

    /** Whether an input with these first bytes is zstd data. No document begins like this: it would be far too long. */
    public static boolean begins(byte[] head) {
        if (head.length < Integer.BYTES) {
            return false;
        }
        int magic = Bytes.intAt(head, 0);
        return magic == MAGIC || (magic & SKIPPABLE_MASK) == SKIPPABLE;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int at, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (!plain.hasRemaining()) {
            if (!decompress()) {
                return -1;
            }
        }
        int read = Math.min(count, plain.remaining());
        plain.get(target, at, read);
        return read;
    }

    /** Decompresses what fits into the buffer; false at the end of the input. */
    private boolean decompress() throws IOException {
        if (!compressed.hasRemaining() && !more && !refill()) {
            if (inFrame) {
                throw new CompressionException(NAME, "truncated zstd data", null);
            }
            return false;
        }
        plain.clear();
        boolean wasInFrame = inFrame;
        try {
            inFrame = !context.decompressDirectByteBufferStream(plain, compressed);
            hasFrame |= !inFrame;
        } catch (ZstdException e) {
            boolean isBehind = hasFrame && !wasInFrame;
            throw new CompressionException(
                    NAME, isBehind ? "garbage after the zstd data" : "zstd data with an error: " + reason(e), e);
        } finally {
            more = inFrame && !plain.hasRemaining();
            plain.flip();
        }
        return true;
    }

    private static String reason(ZstdException e) {
        String message = String.valueOf(e.getMessage());
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private boolean refill() throws IOException {
        int read = in.read(raw, 0, raw.length);
        if (read <= 0) {
            return false;
        }
        compressed.clear();
        compressed.put(raw, 0, read).flip();
        return true;
    }

    @Override
    public void close() throws IOException {
        context.close();
        in.close();
    }
}
