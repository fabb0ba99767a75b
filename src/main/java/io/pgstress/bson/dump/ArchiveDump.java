package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.dump.ArchivePrelude.ArchiveFields;
import io.pgstress.bson.dump.CollectionPump.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.check.CRC64;

/** The output of {@code mongodump --archive}, in a file or a stream. */
final class ArchiveDump implements MongoDump {
    private final DumpFilter filter;
    private final long bytesTotal;
    private final @Nullable Path path;
    private ArchivePrelude prelude;
    private volatile DumpInput input;
    /** Whether the documents of the open input have not been read yet. */
    private boolean unread = true;

    private ArchiveDump(DumpInput input, DumpFilter filter, @Nullable Path path) throws IOException {
        this.filter = filter;
        this.path = path;
        this.input = input;
        bytesTotal = path == null ? -1 : Files.size(path);
        prelude = prelude(input, filter);
    }

    private static ArchivePrelude prelude(DumpInput input, DumpFilter filter) throws IOException {
        try {
            return ArchivePrelude.read(input.window(), filter);
        } catch (BsonException e) {
            throw input.explained(e);
        }
    }

    /** Opens a file, which can be read again. */
    static ArchiveDump of(Path path, DumpFilter filter) throws IOException {
        try (DumpInput input = DumpInput.open(path)) {
            ArchiveDump dump = new ArchiveDump(input, filter, path);
            dump.unread = false;
            return dump;
        }
    }

    /** Opens a stream, which can be read once. */
    static ArchiveDump of(DumpInput input, DumpFilter filter) throws IOException {
        return new ArchiveDump(input, filter, null);
    }

    @Override
    public List<DumpCollection> collections() {
        return prelude.collections();
    }

    @Override
    public List<LeftOut> leftOut() {
        return prelude.leftOut();
    }

    @Override
    public boolean rereadable() {
        return path != null;
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        if (path != null) {
            input = DumpInput.open(path);
            prelude = prelude(input, filter);
        } else if (!unread) {
            throw new IllegalStateException("a stream can be read only once");
        }
        unread = false;
        try (DumpInput open = input) {
            new ArchiveReader(open, prelude, visitor, chunkBytes).read();
        }
    }

    @Override
    public long bytesTotal() {
        return bytesTotal;
    }

    @Override
    public long bytesRead() {
        return input.bytesRead();
    }

    @Override
    public void close() throws IOException {
        if (unread) {
            input.close();
        }
    }

    /**
     * One pass over an archive after its prelude. Each block has a header, documents and a terminator; the blocks of collections
     * are interleaved. A header with EOF ends a collection and has the CRC of its documents.
     */
    static final class ArchiveReader {
        private final DumpInput input;
        private final InputWindow in;
        private final ArchivePrelude prelude;
        private final DumpVisitor visitor;
        private final int chunkBytes;
        private final TreeMap<String, Sink> open = new TreeMap<>();
        private final Set<String> ended = new HashSet<>();

        ArchiveReader(DumpInput input, ArchivePrelude prelude, DumpVisitor visitor, int chunkBytes) {
            this.input = input;
            this.in = input.window();
            this.prelude = prelude;
            this.visitor = visitor;
            this.chunkBytes = chunkBytes;
        }

        /**
         * Reads to the end. A fault in the archive format is reported to each open collection and then thrown, because nothing
         * after it can be trusted.
         */
        void read() throws IOException, InterruptedException {
            try (CollectionPump pump = new CollectionPump(visitor, chunkBytes)) {
                blocks(pump);
            } catch (BsonException e) {
                BsonException fault = input.explained(e);
                for (Sink each : open.values()) {
                    if (each.wanted) {
                        visitor.failed(each.collection, each.count, fault);
                    }
                }
                throw fault;
            }
        }

        private void blocks(CollectionPump pump) throws IOException, InterruptedException {
            while (in.available(Integer.BYTES) > 0) {
                long start = in.position();
                ArchiveFields header = ArchivePrelude.document(in, "a collection's header or the archive's end");
                Sink collection = collection(header, start);
                if (!header.isTrue("EOF")) {
                    pump.block(in, collection);
                } else if (ArchivePrelude.terminator(in)) {
                    end(collection, header.number("CRC", 0), start);
                } else {
                    throw new BsonException(in.label(), in.position(), "a terminator after a collection's end", "none");
                }
            }
            if (!open.isEmpty()) {
                throw incomplete("the end of " + open.firstKey());
            }
            for (DumpCollection each : prelude.collections()) {
                if (!ended.contains(each.namespace())) {
                    throw incomplete("the collection " + each.namespace());
                }
            }
        }

        private BsonException incomplete(String expected) {
            return new BsonException(in.label(), in.position(), expected, "the end of the archive");
        }

        private Sink collection(ArchiveFields header, long start) throws IOException, InterruptedException {
            String name = header.string("collection");
            if (name.isEmpty()) {
                throw new BsonException(
                        in.label(), start, "a collection's header", "a document without a collection name");
            }
            DumpCollection collection = prelude.collection(header.string("db"), name, in.label());
            if (ended.contains(collection.namespace())) {
                throw new BsonException(
                        in.label(), start, "no further block of " + collection.namespace(), "another block");
            }
            Sink existing = open.get(collection.namespace());
            if (existing == null) {
                boolean hasDocuments = !header.isTrue("EOF") && !ArchivePrelude.isTerminator(in);
                boolean wanted = prelude.wants(collection, hasDocuments) && visitor.begin(collection);
                existing = new Sink(collection, wanted, new CRC64());
                open.put(collection.namespace(), existing);
            }
            return existing;
        }

        private void end(Sink each, long crc, long start) throws IOException, InterruptedException {
            open.remove(each.collection.namespace());
            ended.add(each.collection.namespace());
            if (!each.wanted || each.crc == null) {
                return;
            }
            long found = Bytes.longAt(each.crc.finish(), 0);
            if (crc == found) {
                visitor.end(each.collection, each.count);
            } else {
                String expected = String.format(
                        Locale.ROOT, "documents of %s with the CRC %016x", each.collection.namespace(), crc);
                visitor.wrongChecksum(
                        each.collection,
                        each.count,
                        new BsonException(in.label(), start, expected, String.format(Locale.ROOT, "%016x", found)));
            }
        }
    }
}
