package io.pgstress.operation.bulk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;

/** The rows that one client sends from files. */
final class FileRows implements LoadRows {
    private final List<RowFile> files;
    private final byte[] bytes = new byte[RowFile.PORTION];
    private final EndMark mark = new EndMark();
    private RowFile file;
    private long marked;
    private long start;
    private long at;
    private long end;

    /** @param files one for each table, or one for all tables */
    FileRows(List<RowFile> files) {
        this.files = files;
        this.file = files.get(0);
    }

    @Override
    public void begin(int table, int copy) {
        file = files.get(files.size() == 1 ? 0 : table);
        try {
            start = file.startOf(copy, bytes);
            end = file.startOf(copy + 1, bytes);
            at = start;
            marked = 0;
            mark.begin(file.format());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int next() throws SQLException {
        if (at >= end) {
            return 0;
        }
        try {
            int length = (int) Math.min(file.read(bytes, at), end - at);
            int behind = mark.endIn(bytes, length);
            if (behind >= 0 && at + behind < file.size()) {
                marked = at + behind;
                throw new SQLException("a line \\. ends the data of COPY: no row after it would be loaded", "22P04");
            }
            at += length;
            return length;
        } catch (IOException e) {
            throw new SQLException("the input cannot be read: " + e, "58030", e);
        }
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public SQLException placed(SQLException e, boolean ofIndexes) {
        if (marked == 0 && !RefusedRows.areToBlame(e)) {
            return e;
        }
        try {
            return ofIndexes ? placed(e, file.begin(), file.size()) : placed(e, start, end);
        } catch (IOException unreadable) {
            e.addSuppressed(unreadable);
            return e;
        }
    }

    private SQLException placed(SQLException e, long from, long to) throws IOException {
        FileLines lines = file.lines();
        if (marked > 0) {
            return RefusedRows.withLine(e, file.name(), lines.count(0, marked));
        }
        long before = lines.count(0, from);
        long count = RefusedRows.line(e);
        long line = count == 0 ? 0 : lines.ofServer(count, from, to);
        String key = RefusedRows.key(e);
        if (line == 0 && !key.isEmpty()) {
            line = lines.lastOf(key, from, to);
        }
        return line > 0
                ? RefusedRows.withLine(e, file.name(), before + line)
                : RefusedRows.withLine(e, file.name(), before + 1, before + lines.count(from, to));
    }
}
