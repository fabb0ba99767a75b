package io.pgstress.extra.suggest;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads documents of a dump one after the other, as maps of canonical Extended JSON. Documents that JSON cannot represent, or
 * that are not Extended JSON, are skipped and counted. Single use.
 */
final class DumpDocuments extends DumpPass {
    /** Receives documents. */
    interface Receiver {
        /** Receives a document of a collection; false to end the reading. */
        boolean document(DumpCollection collection, Map<String, Object> document, Chunk chunk, int number);
    }

    /** Ends the reading. */
    private static final class Enough extends IOException {
        private static final long serialVersionUID = 1;
    }

    private final Receiver receiver;
    private final DocumentConverter converter = new DocumentConverter(JsonOptions.of(ExtendedJson.CANONICAL));
    private final ByteSink sink = new ByteSink(1 << 16);
    private final List<BsonException> faults = new ArrayList<>();
    private long skipped;

    DumpDocuments(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Reads the collections of a dump that the filter selects. */
    void read(DumpSource dump, DumpFilter filter) throws IOException, InterruptedException {
        try (MongoDump open = dump.open(filter)) {
            open.read(this, CHUNK);
        } catch (Enough e) {
            return; // the receiver has all it wanted
        }
    }

    /** Number of documents that could not be read as JSON. */
    long skipped() {
        return skipped;
    }

    /**
     * What prevented the reading of the rest of files, one line each.
     *
     * @param found whether what could be read is of use
     * @throws BsonException the first fault, if there is one and it is not
     */
    List<String> faults(boolean found) throws BsonException {
        if (!found && !faults.isEmpty()) {
            throw faults.get(0);
        }
        return faults.stream().map(fault -> String.valueOf(fault.getMessage())).toList();
    }

    @Override
    protected void documents(DumpCollection collection, Chunk documents) throws IOException {
        for (int i = 0; i < documents.count(); i++) {
            sink.length(0);
            if (documents.reject(i) != null
                    || !converter.convert(documents.array(), documents.start(i), documents.size(i), sink)) {
                skipped++;
                continue;
            }
            String json = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
            if (!receiver.document(collection, Json.readMap(json), documents, i)) {
                throw new Enough();
            }
        }
    }

    @Override
    protected void fault(BsonException fault) {
        faults.add(fault);
    }
}
