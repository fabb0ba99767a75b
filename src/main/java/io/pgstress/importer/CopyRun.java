package io.pgstress.importer;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.copy.CopyRows;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.importer.RowEncoder.LargeRow;
import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.CopyStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts documents and sends them with one COPY. Used by one thread. */
final class CopyRun {
    /** A document that could not be converted. */
    record Unconverted(int document, Reject why) {}

    private static final String TEMPORARY = "stress_chunk";
    private static final int SEND = 1 << 16;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    /**
     * Larger documents are sent in pieces; they are converted once more beforehand, because their length must be sent first.
     */
    private static final int LARGE = 1 << 20;

    private final Connection connection;
    private final JsonOptions json;
    private final IdentityHashMap<TableImport, RowEncoder> encoders = new IdentityHashMap<>();
    private final ByteSink sink = new ByteSink(4 * SEND);
    private final ByteSink scratch = new ByteSink(SEND);
    private final List<Unconverted> unconverted = new ArrayList<>();
    private final boolean generateIds;
    private @Nullable RowEncoder current;
    private Alterations before = Alterations.NONE;
    private long convertNanos;
    private long waitNanos;

    CopyRun(Connection connection, ImportOptions options) {
        this.connection = connection;
        this.json = options.json();
        this.generateIds = options.generateIds();
    }

    /** Copies the documents from {@code from} to before {@code to}; returns the number of rows. */
    long copy(TableImport table, Chunk chunk, int from, int to) throws SQLException {
        return copy(
                begin(encoders.computeIfAbsent(table, t -> encoder(t, t.isStaged()))),
                table.loadTable().quoted(),
                chunk,
                from,
                to);
    }

    /**
     * Copies documents whose ids are partly in the table already, or occur twice among them, through a temporary table; the first
     * one stays. Leaves the transaction open.
     *
     * @param duplicates takes the documents that were left out, in their order
     * @return the number of rows
     */
    long copyNew(TableImport table, Chunk chunk, int from, int to, List<Integer> duplicates) throws SQLException {
        String target = table.loadTable().quoted();
        ControlSql.execute(
                connection,
                "create temporary table " + TEMPORARY + " as select 0::bigint as _seq, _id, data from " + target
                        + " where false");
        copy(begin(encoder(table, true)), TEMPORARY, chunk, from, to);
        ControlSql.execute(connection, "analyze " + TEMPORARY + " (_id)"); // so that the table's index is used
        try (Statement statement = connection.createStatement()) {
            String delete = "delete from " + TEMPORARY + " s using ";
            String known =
                    "(select _id from " + target + " where _id = any(array(select _id from " + TEMPORARY + "))) t";
            String first = "(select _id, min(_seq) as _seq from " + TEMPORARY + " group by _id having count(*) > 1) t";
            for (String query : List.of(
                    delete + known + " where s._id = t._id returning s._seq",
                    delete + first + " where s._id = t._id and s._seq > t._seq returning s._seq")) {
                try (ResultSet rows = statement.executeQuery(query)) {
                    while (rows.next()) {
                        duplicates.add((int) (rows.getLong(1) - chunk.ordinal(0)));
                    }
                }
            }
            duplicates.sort(null);
            count(begin(encoder(table, true)), chunk, from, to, duplicates);
            long rows = statement.executeLargeUpdate(
                    "insert into " + target + " (_id, data) select _id, data from " + TEMPORARY);
            statement.execute("drop table " + TEMPORARY);
            return rows;
        }
    }

    /** Converts the documents once more, without the duplicates, for the counts of what was altered. */
    private void count(RowEncoder encoder, Chunk chunk, int from, int to, List<Integer> duplicates) {
        BitSet leftOut = new BitSet();
        duplicates.forEach(leftOut::set);
        for (int i = leftOut.nextClearBit(from); i < to; i = leftOut.nextClearBit(i + 1)) {
            if (!encoder.row(chunk, i, sink)) {
                unconverted.add(new Unconverted(i, encoder.reject()));
            }
            sink.clear();
        }
        sink.shrink(MAX_KEPT_BYTES);
    }

    private long copy(RowEncoder encoder, String into, Chunk chunk, int from, int to) throws SQLException {
        String columns = encoder.isNumbered() ? "(_seq, _id, data)" : "(_id, data)";
        CopyStream copy =
                CopyStream.open(connection, "copy " + into + " " + columns + " from stdin with (format binary)");
        boolean ended = false;
        try {
            CopyRows.begin(sink);
            int next = from;
            while (next < to) {
                next = convert(encoder, chunk, next, to);
                send(copy);
                if (next < to && chunk.size(next) > LARGE) {
                    large(encoder, chunk, next, copy);
                    next++;
                }
            }
            CopyRows.end(sink);
            send(copy);
            long start = System.nanoTime();
            long rows = copy.end();
            waitNanos += System.nanoTime() - start;
            ended = true;
            return rows;
        } finally {
            if (!ended) {
                copy.cancel();
            }
            sink.shrink(MAX_KEPT_BYTES);
        }
    }

    private RowEncoder begin(RowEncoder encoder) {
        unconverted.clear();
        sink.clear();
        before = encoder.tally();
        current = encoder;
        return encoder;
    }

    private RowEncoder encoder(TableImport table, boolean numbered) {
        return new RowEncoder(json, table.form(), numbered, generateIds);
    }

    /** Converts until there is enough to send; returns the first remaining document. */
    private int convert(RowEncoder encoder, Chunk chunk, int from, int to) {
        long start = System.nanoTime();
        int i = from;
        while (i < to && sink.length() < SEND && chunk.size(i) <= LARGE) {
            if (!encoder.row(chunk, i, sink)) {
                unconverted.add(new Unconverted(i, encoder.reject()));
            }
            i++;
        }
        convertNanos += System.nanoTime() - start;
        return i;
    }

    /** Converts a large document twice; the sink is empty before and after. */
    private void large(RowEncoder encoder, Chunk chunk, int document, CopyStream copy) throws SQLException {
        long start = System.nanoTime();
        long waited = waitNanos;
        if (encoder.head(chunk, document, sink, scratch)) {
            LargeRow row = new LargeRow(copy, null);
            row.send(encoder, sink);
            waitNanos += row.waitNanos();
        } else {
            unconverted.add(new Unconverted(document, encoder.reject()));
        }
        scratch.shrink(MAX_KEPT_BYTES);
        convertNanos += System.nanoTime() - start - (waitNanos - waited);
    }

    private void send(CopyStream copy) throws SQLException {
        long start = System.nanoTime();
        copy.write(sink.array(), 0, sink.length());
        waitNanos += System.nanoTime() - start;
        sink.clear();
    }

    /** The documents of the last COPY that could not be converted. */
    List<Unconverted> unconverted() {
        return unconverted;
    }

    /** The alterations to the documents of the last COPY. */
    Alterations altered() {
        return current == null ? Alterations.NONE : current.tally().minus(before);
    }

    /** Frees memory after everything was sent. */
    void release() {
        encoders.clear();
        current = null;
    }

    void waited(long nanos) {
        waitNanos += nanos;
    }

    void converted(long nanos) {
        convertNanos += nanos;
    }

    double convertSeconds() {
        return convertNanos / 1e9;
    }

    double waitSeconds() {
        return waitNanos / 1e9;
    }
}
