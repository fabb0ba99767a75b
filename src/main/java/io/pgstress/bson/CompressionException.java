package io.pgstress.bson;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when compressed input is damaged, truncated, or cannot be decompressed here. */
public final class CompressionException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String format;

    /**
     * @param format the name of the compression, such as {@code zstd}
     * @param found what was found instead of valid data
     */
    public CompressionException(String format, String found, @Nullable Throwable cause) {
        super(found, cause);
        this.format = format;
    }

    /** The name of the compression. */
    String format() {
        return format;
    }
}
