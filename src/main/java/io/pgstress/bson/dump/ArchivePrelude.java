package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.bson.ForeignData;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** The beginning of an archive: the magic number, a header, and a document for each collection. */
final class ArchivePrelude {
    static final int TERMINATOR = -1;

    /** The limit in bytes of the metadata of all collections, each of which usually has less than 1 KB. */
    private static final long MAX_BYTES = 256L << 20;

    private final DumpFilter filter;
    private final TreeMap<String, DumpCollection> wanted = new TreeMap<>();
    /** Collections that the metadata define as views, and of which no documents were found so far. */
    private final TreeMap<String, DumpCollection> views = new TreeMap<>();

    private final Set<String> namespaces = new HashSet<>();
    private final List<LeftOut> leftOut = new ArrayList<>();

    private ArchivePrelude(DumpFilter filter) {
        this.filter = filter;
    }

    /** Reads the prelude from the start of the input. */
    static ArchivePrelude read(InputWindow in, DumpFilter filter) throws IOException {
        ArchivePrelude prelude = new ArchivePrelude(filter);
        in.available(Integer.BYTES);
        in.skip(Integer.BYTES);
        document(in, "the archive's header");
        while (!terminator(in)) {
            prelude.add(document(in, "a collection's metadata"), in.label());
            if (in.position() > MAX_BYTES) {
                throw new BsonException(
                        in.label(),
                        in.position(),
                        "metadata of at most " + MAX_BYTES + " bytes for all collections",
                        "more");
            }
        }
        return prelude;
    }

    /** Reads the next document of the archive format. */
    static ArchiveFields document(InputWindow in, String what) throws IOException {
        long start = in.position();
        int available = in.available(Integer.BYTES);
        if (available < Integer.BYTES) {
            throw new BsonException(in.label(), start, what, "the end of the archive");
        }
        int size = in.peekInt();
        if (size < BsonType.MIN_DOCUMENT || size > BsonType.MAX_DOCUMENT) {
            String foreign = ForeignData.at(in);
            throw new BsonException(in.label(), start, what, foreign.isEmpty() ? "a length of " + size : foreign);
        }
        byte[] bytes = new byte[size];
        int copied = in.copy(bytes, 0, size);
        if (copied < size || bytes[size - 1] != 0) {
            String found = copied < size ? "the end of the archive after " + copied : "no zero byte at its end";
            throw new BsonException(in.label(), start, what + " of " + size + " bytes", found);
        }
        return new ArchiveFields(bytes, in.label(), start);
    }

    /** Skips a block's terminator if it is next; returns whether it was. */
    static boolean terminator(InputWindow in) throws IOException {
        boolean is = isTerminator(in);
        in.skip(is ? Integer.BYTES : 0);
        return is;
    }

    /** Whether a block's terminator is next. */
    static boolean isTerminator(InputWindow in) throws IOException {
        return in.available(Integer.BYTES) >= Integer.BYTES && in.peekInt() == TERMINATOR;
    }

    private void add(ArchiveFields fields, String label) throws BsonException {
        Metadata metadata = Metadata.of(fields.string("metadata"));
        String type = fields.string("type").isEmpty() ? metadata.type() : fields.string("type");
        String name = fields.string("collection");
        long size = fields.number("size", 0);
        String database = fields.string("db");
        DumpCollection collection =
                new DumpCollection(database, name, metadata.options(), metadata.json(), label, size > 0 ? size : -1);
        String reason = filter.reasonAgainst(database, name, type);
        String namespace = collection.namespace();
        namespaces.add(namespace);
        if (!reason.isEmpty()) {
            leftOut.add(new LeftOut(namespace, reason));
        } else if (metadata.isView()) {
            views.put(namespace, collection);
        } else {
            wanted.put(namespace, collection);
        }
    }

    /** The selected collections, in order of their names. */
    List<DumpCollection> collections() {
        return List.copyOf(wanted.values());
    }

    List<LeftOut> leftOut() {
        List<LeftOut> all = new ArrayList<>(leftOut);
        views.keySet().forEach(name -> all.add(new LeftOut(name, LeftOut.VIEW)));
        return all;
    }

    /** The collection named in a later header; if the prelude lacks it, only its name is known. */
    DumpCollection collection(String database, String name, String label) {
        DumpCollection byName = new DumpCollection(database, name, label, -1);
        DumpCollection listed = wanted.get(byName.namespace());
        return listed == null ? views.getOrDefault(byName.namespace(), byName) : listed;
    }

    /**
     * Whether to read a collection; one that the metadata do not list, or list as a view, if there are documents of it. Other
     * names that are not listed are added to what is left out.
     */
    boolean wants(DumpCollection collection, boolean hasDocuments) {
        String namespace = collection.namespace();
        DumpCollection view = hasDocuments ? views.remove(namespace) : null;
        if (view != null) {
            wanted.put(namespace, view);
        }
        if (!namespaces.add(namespace)) {
            return wanted.containsKey(namespace);
        }
        String reason = filter.reasonAgainst(collection.database(), collection.collection(), "");
        String series = new DumpCollection(
                        collection.database(), DumpFilter.seriesName(collection.collection()), collection.label(), -1)
                .namespace();
        if (reason.isEmpty()) {
            wanted.put(namespace, collection);
        } else if (namespaces.add(series) || series.equals(namespace)) {
            leftOut.add(new LeftOut(namespace, reason));
        }
        return reason.isEmpty();
    }

    /** The fields of a small document that belongs to the format of a dump, not to its data. */
    static final class ArchiveFields {
        private final byte[] bytes;
        private final String label;
        private final long offset;

        /** Wraps a document; label and offset are for messages. */
        ArchiveFields(byte[] bytes, String label, long offset) {
            this.bytes = bytes;
            this.label = label;
            this.offset = offset;
        }

        /** The field's string; empty if it is missing or of another type. */
        String string(String name) throws BsonException {
            int at = find(BsonType.STRING, name);
            return at < 0 ? "" : new String(bytes, at + 4, Bytes.intAt(bytes, at) - 1, StandardCharsets.UTF_8);
        }

        /** Whether the field exists and is true. */
        boolean isTrue(String name) throws BsonException {
            int at = find(BsonType.BOOLEAN, name);
            return at >= 0 && bytes[at] != 0;
        }

        /** The field's number, int32 or int64; {@code fallback} if it is missing. */
        long number(String name, long fallback) throws BsonException {
            int at = find(BsonType.INT64, name);
            if (at >= 0) {
                return Bytes.longAt(bytes, at);
            }
            at = find(BsonType.INT32, name);
            return at < 0 ? fallback : Bytes.intAt(bytes, at);
        }

        private int find(int type, String name) throws BsonException {
            int limit = bytes.length - 1;
            int at = 4;
            while (at < limit) {
                int element = bytes[at] & 0xff;
                int end = Bytes.nulAt(bytes, at + 1, limit);
                int next = end < 0 ? -1 : Elements.end(element, bytes, end + 1, limit);
                if (next < 0) {
                    throw new BsonException(
                            label, offset + at, "a valid element of the archive's metadata", "an invalid one");
                }
                if (element == type && name.equals(new String(bytes, at + 1, end - at - 1, StandardCharsets.UTF_8))) {
                    return end + 1;
                }
                at = next;
            }
            return -1;
        }
    }
}
