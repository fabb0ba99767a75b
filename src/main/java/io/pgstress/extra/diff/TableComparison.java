package io.pgstress.extra.diff;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.IdJson;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.RejectedDocument;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.extra.diff.Matching.Kind;
import io.pgstress.extra.diff.RowHashes.PairMemory;
import io.pgstress.extra.diff.TableComparison.Sample;
import io.pgstress.importer.DocumentRow;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a collection with its table: {@link #begin}, {@link #add} for all documents, {@link #match}; then
 * {@link #names} finds the ids of what differs. Used by the thread that reads the dump.
 */
final class TableComparison {
    private static final long MANY = 10;
    /** Larger documents are not parsed to find the path, so that memory stays bounded. */
    private static final int MAX_PARSED = 1 << 20;

    /** Rows that are fetched with one statement. */
    private static final int MAX_WAITING = 200;

    private static final int MAX_CHARACTERS = 1 << 21;

    /** A document that waits for its row. */
    private record Waiting(String id, String json) {}

    private final Pairing pairing;
    private final DiffOptions options;
    private final Sample sample;
    private final DocumentRow row;
    private final IdJson ids = new IdJson();
    private final Matching matching;
    private final DifferenceNames names = new DifferenceNames();
    private final LongPredicate isLeftOut;
    private final List<RejectedDocument> rejects = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private @Nullable RowHashes dumpRows;
    private @Nullable RowHashes tableRows;
    private @Nullable CompletableFuture<Void> reading;
    private String fault = "";
    private String hidden = "";
    private long documents;
    private long rows;
    private long rejected;

    /** @param isLeftOut whether the document with this number is not compared */
    TableComparison(Pairing pairing, DiffOptions options, LongPredicate isLeftOut) {
        this.isLeftOut = isLeftOut;
        this.pairing = pairing;
        this.options = options;
        sample = new Sample(options.share());
        row = new DocumentRow(options.json(), pairing.form(), options.generateIds());
        matching = new Matching(options.onDuplicate(), options.limit());
    }

    TableName table() {
        return pairing.table();
    }

    /** Adds a line for the reader. */
    void note(String note) {
        notes.add(note);
    }

    /** Records why the table may have more rows than can be seen: a document without a row is no difference then. */
    void mayHide(String why) {
        hidden = why;
    }

    /** Records why the comparison is not complete, unless another reason is recorded. */
    void failed(String why) {
        fault = fault.isEmpty() ? why : fault;
    }

    boolean hasFailed() {
        return !fault.isEmpty();
    }

    /** Records that the dump cannot be read further, unless the collection has ended. */
    void cut(String why) {
        if (dumpRows != null) {
            failed("the rest was not compared. " + why);
        } else if (reading == null) {
            failed("nothing was compared. " + why);
        }
    }

    /** Ends a comparison that was cut. */
    void end(TableSide tables) throws IOException, InterruptedException {
        if (dumpRows != null) {
            match(tables);
        }
    }

    /** Begins to read the table. */
    void begin(TableSide tables, PairMemory memory) {
        RowHashes ofTable = new RowHashes(memory);
        dumpRows = new RowHashes(memory);
        tableRows = ofTable;
        reading = pairing.tableExists()
                ? tables.read(pairing.table(), pairing.where(sample), ofTable)
                : CompletableFuture.completedFuture(null);
    }

    /** Adds documents, as far as they are in the sample. */
    void add(Chunk chunk) {
        RowHashes to = dumpRows;
        if (to == null) {
            throw new IllegalStateException(pairing.collection().namespace() + " was never started");
        }
        for (int i = 0; i < chunk.count(); i++) {
            boolean inSample = sample.isAll() || !row.hashKey(chunk, i) || sample.has(row.key());
            if (!inSample || isLeftOut.test(chunk.ordinal(i))) {
                continue;
            }
            documents++;
            if (row.hash(chunk, i)) {
                to.add(row.keyHash(), row.rowHash());
            } else {
                reject(chunk, i);
            }
        }
    }

    private void reject(Chunk chunk, int document) {
        rejected++;
        if (rejects.size() < options.limit()) {
            rejects.add(new RejectedDocument(
                    ids.of(chunk.array(), chunk.start(document), chunk.size(document)),
                    row.reject().message()));
        }
    }

    /** Waits for the table's rows, and counts the differences. */
    void match(TableSide tables) throws IOException, InterruptedException {
        try (RowHashes ofDump = dumpRows;
                RowHashes ofTable = tableRows) {
            if (ofDump == null || ofTable == null || reading == null) {
                throw new IllegalStateException(pairing.collection().namespace() + " was never started");
            }
            tables.await(reading);
            rows = ofTable.count();
            for (int part = 0; part < RowHashes.PARTS; part++) {
                matching.compare(ofDump.part(part), ofTable.part(part));
            }
        } finally {
            dumpRows = null;
            tableRows = null;
        }
        if (matching.count(Kind.DIFFERENT) > MANY && matching.count(Kind.DIFFERENT) > matching.equal()) {
            note("most rows differ: were they imported with other options of the conversion (--extended-json, --nul,"
                    + " --invalid-utf8)?");
        }
    }

    /** The names of what differs. */
    DifferenceNames names() {
        return names;
    }

    /** Begins to name rows that only the table has. */
    CompletableFuture<Void> nameRows(TableSide tables) {
        return hasFailed() || !pairing.tableExists() || !matching.has(Kind.ONLY_IN_TABLE)
                ? CompletableFuture.completedFuture(null)
                : tables.find(
                        pairing.table(),
                        pairing.where(sample),
                        key -> matching.kind(key) == Kind.ONLY_IN_TABLE,
                        names.onlyInTable::add);
    }

    TableDiff result() {
        return new TableDiff(
                pairing.collection().namespace(),
                pairing.table().toString(),
                documents,
                rows,
                matching.equal(),
                matching.count(Kind.ONLY_IN_DUMP),
                hasFailed() ? 0 : matching.count(Kind.ONLY_IN_TABLE),
                matching.count(Kind.DIFFERENT),
                matching.repeated(),
                matching.repeatedRows(),
                rejected,
                List.copyOf(names.onlyInDump.values()),
                names.onlyInTable,
                List.copyOf(names.different.values()),
                rejects,
                notes,
                fault,
                hidden);
    }

    /**
     * Finds the ids of what the {@link Matching} kept, and the paths at which rows differ. Used by one thread, but rows are received
     * on that of {@link TableSide}, while this one waits or adds only documents.
     */
    final class DifferenceNames {
        private final Map<Long, String> onlyInDump = new LinkedHashMap<>();
        private final Map<Long, DifferentRow> different = new LinkedHashMap<>();
        private final List<String> onlyInTable = new ArrayList<>();
        private final Map<Long, Waiting> waiting = new HashMap<>();
        private long waitingCharacters;

        /** Whether the dump must be read again. */
        boolean needDump() {
            return matching.has(Kind.ONLY_IN_DUMP) || matching.has(Kind.DIFFERENT);
        }

        /** Names those of the documents that differ from their row or have none. */
        void add(Chunk chunk, TableSide tables) throws InterruptedException {
            for (int i = 0; i < chunk.count(); i++) {
                boolean compared = !isLeftOut.test(chunk.ordinal(i)) && row.hashKey(chunk, i);
                Kind kind = compared ? matching.kind(row.keyHash()) : null;
                if (kind == Kind.ONLY_IN_DUMP || kind == Kind.DIFFERENT) {
                    add(row.keyHash(), kind, chunk, i);
                }
                if (waiting.size() >= MAX_WAITING || waitingCharacters >= MAX_CHARACTERS) {
                    compareWaiting(tables);
                }
            }
        }

        private void add(long key, Kind kind, Chunk chunk, int document) {
            String id = row.keyText();
            if (kind == Kind.ONLY_IN_DUMP) {
                onlyInDump.put(key, id);
            } else if (options.onDuplicate() == OnDuplicate.REPLACE
                    || !(different.containsKey(key) || waiting.containsKey(key))) {
                addDifferent(key, id, chunk, document);
            }
        }

        private void addDifferent(long key, String id, Chunk chunk, int document) {
            if (chunk.size(document) > MAX_PARSED) {
                waiting.remove(key);
                different.put(key, JsonDifference.tooLarge(id));
                return;
            }
            String json = row.json(chunk, document);
            if (json != null) { // otherwise it is a rejected document that repeats the _id of another
                waiting.put(key, new Waiting(id, json));
                waitingCharacters += json.length();
            }
        }

        /** Compares the documents that wait for their rows; must be called at the end as well. */
        void compareWaiting(TableSide tables) throws InterruptedException {
            if (waiting.isEmpty()) {
                return;
            }
            List<String> keys = waiting.values().stream().map(Waiting::id).toList();
            tables.read(pairing.table(), keys, (key, json) -> {
                Waiting document = waiting.remove(key);
                if (document != null) {
                    different.put(
                            key,
                            json == null
                                    ? JsonDifference.tooLarge(document.id())
                                    : JsonDifference.of(document.id(), document.json(), json));
                }
            });
            if (!waiting.isEmpty()) {
                throw new TargetException("table " + pairing.table() + " has no row with the _id "
                        + waiting.values().iterator().next().id()
                        + ", although it was read before: do its nodes agree?");
            }
            waitingCharacters = 0;
        }
    }

    /**
     * A share of documents and rows, chosen by the MD5 of the key in PostgreSQL's binary format. The server can compute it as well,
     * so it neither converts nor sends the other rows. Not thread-safe.
     */
    static final class Sample {
        /** Index of the key in {@link io.pgstress.importer.DocumentRow#key}. */
        private static final int KEY_AT = Short.BYTES + Integer.BYTES;

        private final boolean all;
        private final long limit;
        private final MessageDigest md5;

        /** @param share from above 0 to 1 */
        Sample(double share) {
            all = share >= 1;
            limit = Math.max(1, Math.round(share * (1L << Integer.SIZE)));
            try {
                md5 = MessageDigest.getInstance("MD5");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has MD5", e);
            }
        }

        /** Whether everything is compared. */
        boolean isAll() {
            return all;
        }

        /** Whether a document's key is in the sample. */
        boolean has(ByteSink key) {
            md5.update(key.array(), KEY_AT, key.length() - KEY_AT);
            byte[] digest = md5.digest();
            long first = 0;
            for (int i = 0; i < Integer.BYTES; i++) {
                first = first << Byte.SIZE | (digest[i] & 0xff);
            }
            return first < limit;
        }

        /** The condition for a table's rows in the sample, with {@code where}; empty if it is all of them. */
        String where(KeyType type) {
            if (all || limit > 0xffff_ffffL) {
                return "";
            }
            String send = switch (type) {
                case INT -> "int4send";
                case BIGINT -> "int8send";
                case NUMERIC -> "numeric_send";
                case TEXT -> "textsend";
                case UUID -> "uuid_send";
                case TIMESTAMPTZ -> "timestamptz_send";
            };
            return String.format(Locale.ROOT, " where md5(%s(_id)) < '%08x' collate \"C\"", send, limit);
        }
    }

    /**
     * A collection of the dump and its table.
     *
     * @param type the type of the table's keys; null if there is no such table
     * @param form their form
     */
    record Pairing(
            DumpCollection collection,
            TableName table,
            @Nullable KeyType type,
            KeyForm form) {
        boolean tableExists() {
            return type != null;
        }

        /** The condition for the table's rows in the sample, with {@code where}; empty if it is all of them. */
        String where(Sample sample) {
            return type == null ? "" : sample.where(type);
        }
    }
}
