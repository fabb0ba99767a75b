package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes measurements of a bucket: the time, the field that all share, then the others, as MongoDB returns them. Not thread-safe.
 */
public final class BucketUnpacker {
    private static final int LAST_VERSION = 3;

    /** MongoDB closes a bucket at 1,000 measurements and 125 kB by default; these limits only bound memory. */
    private static final int MAX_ROWS = 1 << 20;

    private static final int MAX_BYTES = 64 << 20;

    private final byte[] timeName;
    private final byte[] metaName;

    public BucketUnpacker(TimeSeries series) {
        timeName = series.timeField().getBytes(StandardCharsets.UTF_8);
        metaName = series.metaField().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Appends the measurements of the bucket that begins at {@code start}, one document after the other.
     *
     * @throws ColumnException if it is not a valid bucket; the sink may have some of its measurements then
     */
    public void unpack(byte[] bytes, int start, ByteSink out) throws ColumnException {
        Element control = null;
        Element meta = null;
        Element data = null;
        Fields fields = new Fields(bytes, start);
        while (fields.next()) {
            switch (fields.text()) {
                case "control" -> control = fields.value();
                case "meta" -> meta = fields.value();
                case "data" -> data = fields.value();
                default -> {}
            }
        }
        if (control == null || data == null) {
            throw new ColumnException("no bucket: it has no field " + (control == null ? "control" : "data"));
        }
        int rows = rows(data, metaName.length == 0 ? null : meta, out);
        requireSupported(control, rows);
    }

    private static void requireSupported(Element control, int rows) throws ColumnException {
        Fields fields = Fields.of(control, "control");
        while (fields.next()) {
            String name = fields.text();
            if (name.equals("version") && (fields.number() < 1 || fields.number() > LAST_VERSION)) {
                throw new ColumnException("version " + fields.number() + " of the bucket format, not 1 to 3");
            }
            if (name.equals("count") && fields.number() != rows) {
                throw new ColumnException(rows + " measurements, but control.count is " + fields.number());
            }
        }
    }

    /** Appends the measurements; returns their number. */
    private int rows(Element data, @Nullable Element meta, ByteSink out) throws ColumnException {
        Cells time = null;
        List<byte[]> names = new ArrayList<>();
        List<Cells> others = new ArrayList<>();
        Fields fields = Fields.of(data, "data");
        while (fields.next()) {
            Cells cells = Cells.of(fields.value(), fields.text());
            if (fields.isNamed(timeName)) {
                time = cells;
            } else {
                names.add(fields.name());
                others.add(cells);
            }
        }
        if (time == null) {
            throw new ColumnException("no field " + new String(timeName, StandardCharsets.UTF_8) + " with the time");
        }
        int rows = 0;
        int begin = out.length();
        while (time.next()) {
            rows++;
            int start = begin(out);
            Element at = time.value();
            if (at == null) {
                throw new ColumnException("a measurement without a time");
            }
            at.write(timeName, out);
            if (meta != null) {
                meta.write(metaName, out);
            }
            for (int i = 0; i < others.size(); i++) {
                Element value = others.get(i).in(time);
                if (value != null) {
                    value.write(names.get(i), out);
                }
            }
            end(out, start);
            if (rows > MAX_ROWS || out.length() - begin > MAX_BYTES) {
                throw new ColumnException(
                        "more than " + MAX_ROWS + " measurements, or than " + MAX_BYTES + " bytes of them");
            }
        }
        return rows;
    }

    private static int begin(ByteSink out) {
        int start = out.length();
        out.ensure(Integer.BYTES);
        out.length(start + Integer.BYTES);
        return start;
    }

    private static void end(ByteSink out, int start) throws ColumnException {
        out.put(0);
        int size = out.length() - start;
        if (size > BsonType.MAX_DOCUMENT) {
            throw new ColumnException("a measurement of " + size + " bytes");
        }
        Bytes.putInt(out.array(), start, size);
    }
}
