package io.pgstress.extra.oplog;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether and what to replay.
 *
 * @param replay whether to replay an oplog
 * @param file the oplog's own file; null for the dump's oplog
 * @param limit see {@link Oplog}
 */
public record OplogRequest(boolean replay, @Nullable Path file, long limit) {
    private static final Pattern LIMIT = Pattern.compile("(\\d{1,10})(?::(\\d{0,10}))?");
    private static final long MAX = 0xffff_ffffL;

    /** The oplog to replay; null if none is wanted. */
    public @Nullable Oplog find(List<String> dumps, DumpFilter filter) throws IOException {
        if (replay && file == null && dumps.size() > 1) {
            throw new InvalidPlanException(
                    "--oplog-replay: of several dumps, the oplog to replay must be named with --oplog-file");
        }
        return replay ? Oplog.find(dumps.get(0), file, filter, limit) : null;
    }

    /**
     * Reads {@code seconds[:counter]}, as for mongorestore's {@code --oplogLimit}.
     *
     * @throws IllegalArgumentException if the text is not of this form
     */
    public static long limit(String text) {
        Matcher parts = LIMIT.matcher(text);
        if (parts.matches()) {
            String counter = parts.group(2);
            long seconds = Long.parseLong(parts.group(1));
            long ordinal = counter == null || counter.isEmpty() ? 0 : Long.parseLong(counter);
            if (seconds > 0 && seconds <= MAX && ordinal <= MAX) {
                return seconds << Integer.SIZE | ordinal;
            }
        }
        throw new IllegalArgumentException(
                "must be SECONDS[:COUNTER], seconds since 1970 such as 1700000000:1, was '" + text + "'");
    }
}
