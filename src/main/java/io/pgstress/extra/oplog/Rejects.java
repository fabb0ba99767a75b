package io.pgstress.extra.oplog;

import io.pgstress.bson.json.IdJson;
import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.extra.oplog.OplogOperation.OplogEntry;
import io.pgstress.importer.table.RejectFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes entries that could not be applied to files, as the import does with documents. Used by one thread. */
final class Rejects implements Closeable {
    /** The name of the files; no table is likely to have it. */
    static final String NAME = "oplog.bson";

    private final RejectFile file;
    private final IdJson ids = new IdJson();
    private final Set<Long> written = new HashSet<>();

    /** @param resume whether to keep the rejects of an earlier part of the replay */
    Rejects(Path directory, boolean resume) throws IOException {
        file = new RejectFile(directory, NAME, resume);
    }

    /**
     * Finds what prevents new files.
     *
     * @param keeps whether the rejects of an earlier replay must not be lost
     * @return the problem; empty if there is none
     */
    static String problem(Path directory, Oplog oplog, boolean keeps) throws IOException {
        return RejectFile.problem(directory, NAME, oplog.path().toString(), keeps);
    }

    /**
     * Writes the entries of operations, unless it has written them: a transaction that fails is repeated.
     *
     * @param operations all operations of the transaction
     * @param first the number of the first one; numbers identify rejects when a replay is resumed, because an entry may have
     *     several
     */
    void write(List<Tally.Refused> refused, List<OplogOperation> operations, long first) throws IOException {
        for (Tally.Refused each : refused) {
            long number = first + operations.indexOf(each.operation());
            if (!written.add(number)) {
                continue;
            }
            OplogEntry entry = each.operation().entry();
            byte[] bytes = entry.bytes();
            String why = where(each.operation()) + ": " + each.why().getMessage();
            file.add(bytes, 0, bytes.length, number, entry.offset(), each.why().kind(), why);
        }
        file.flush();
    }

    private String where(OplogOperation operation) {
        String time = "ts " + operation.entry().time();
        if (operation.kind() == Kind.UNREADABLE) {
            return time;
        }
        BsonFields document = operation.selector() == null ? operation.content() : operation.selector();
        String id = document == null ? "" : ids.of(document.bytes(), document.start(), document.size());
        return time + ", " + operation.kind() + " in " + operation.namespace() + (id.isEmpty() ? "" : ", _id " + id);
    }

    /** The number of rejects by kind, with those of an earlier part. */
    Map<String, Long> counts() {
        return file.counts();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
