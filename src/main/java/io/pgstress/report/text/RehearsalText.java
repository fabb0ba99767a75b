package io.pgstress.report.text;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Layout;
import io.pgstress.result.Rehearsal.Layouts;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Rehearsal.TableBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A rehearsal as text and tables: the answer, the collections, the operations. */
final class RehearsalText {
    private static final double MB = 1e6;

    private static final String NOTE =
            "Plan: Seq Scan reads the whole table, as COLLSCAN in MongoDB; the others use an index, as IXSCAN. Times are medians; p95 and"
                    + " p99: of 100 operations, 95 and 99 take at most this long. Those in MongoDB are from the profile, in whole milliseconds."
                    + " Long values are stored apart from their rows (TOAST).";

    private static final String NOT_TESTED =
            "your application itself and its driver; transactions of several operations; change streams; failover, backups and upgrades";

    private static final String NOTE_ON_WAITS =
            " Those here include the wait of each operation for its turn, because the server did not keep up.";

    private static final String NOTE_ON_LAYOUTS =
            " Layouts: expression indexes are on fields, as in MongoDB; one GIN is an index on all fields; lz4 compresses long values in"
                    + " another way; fillfactor 85 leaves space for updates. The log (WAL)"
                    + " is what the journal is in MongoDB.";

    private static final Columns<TableBytes> SIZE = new Columns<TableBytes>()
            .decimal("rows MB", each -> each.heapBytes() / MB, 1)
            .decimal("long MB", each -> each.toastBytes() / MB, 1)
            .decimal("indexes MB", each -> each.indexBytes() / MB, 1);

    private RehearsalText() {}

    static TextReport of(Rehearsal rehearsal) {
        Facts facts = new Facts();
        Double rate = rehearsal.rate();
        Double observed = rehearsal.observedRate();
        RateSearch search = rehearsal.search();
        facts.add(
                        "operations",
                        (rehearsal.profile() == null
                                        ? "guesses from the indexes"
                                        : "from the dump's system.profile"
                                                + (observed == null
                                                        ? ""
                                                        : ", " + Figures.rate(observed) + " per second in MongoDB"))
                                + ", all on " + rehearsal.dataset().table()
                                + "; their SQL is in " + rehearsal.operationsFile())
                .add(
                        "load",
                        Figures.rate(rehearsal.load().total().opsPerSecond()) + " operations per second"
                                + (rate == null
                                        ? ", as many as the clients could"
                                        : " of the " + Figures.rate(rate) + " needed"))
                .add(
                        "at most",
                        search == null
                                ? ""
                                : String.join(" ", search.verdict())
                                        + (search.valid() ? "" : " This is not confirmed."));
        facts.add("not tested", NOT_TESTED);
        rehearsal.notes().forEach(note -> facts.add("note", note));
        Layouts layouts = rehearsal.layouts();
        List<TextTable> tables = new ArrayList<>(List.of(collections(rehearsal), operations(rehearsal)));
        if (layouts != null) {
            layouts.findings().forEach(found -> facts.add("layout", found.sentences()));
            tables.add(layouts(layouts));
        }
        return new TextReport(
                "rehearsal on " + rehearsal.dataset().table(),
                rehearsal.verdict(),
                facts.all(),
                tables,
                List.of(),
                NOTE + (rehearsal.wasOverloaded() ? NOTE_ON_WAITS : "") + (layouts == null ? "" : NOTE_ON_LAYOUTS),
                RunDetails.servers(rehearsal).all());
    }

    private static TextTable collections(Rehearsal rehearsal) {
        Columns<RehearsedCollection> columns = new Columns<RehearsedCollection>()
                .add("collection", RehearsedCollection::collection)
                .add("table", RehearsedCollection::table)
                .count("documents", RehearsedCollection::documents)
                .add("equal", each -> each.hasAllDocuments() ? "yes" : "no")
                .decimal("MongoDB MB", each -> each.bsonBytes() / MB, 1)
                .part(RehearsedCollection::size, SIZE)
                .count("indexes missing", each -> each.missingIndexes().size());
        return TextTable.of(2, columns, rehearsal.collections()).optional("long MB", "indexes missing", "table");
    }

    private static TextTable operations(Rehearsal rehearsal) {
        Columns<RehearsedOperation> columns = new Columns<RehearsedOperation>()
                .add("operation", RehearsedOperation::operation)
                .add("plan", each -> each.scans().isEmpty() ? null : String.join(", ", each.scans()))
                .add("index that helps", each -> each.index().isEmpty() ? null : String.join("; ", each.index()))
                .decimal("share %", each -> 100 * each.share(), 1)
                .add("MongoDB ms", each -> millis(each.median()), millis -> Figures.decimal(millis, 0))
                .add("here ms", each -> micros(rehearsal, each, Latency::p50), Figures::millis)
                .add("MongoDB p95 ms", each -> millis(each.p95()), millis -> Figures.decimal(millis, 0))
                .add("here p95 ms", each -> micros(rehearsal, each, Latency::p95), Figures::millis);
        return TextTable.of(3, columns, rehearsal.operations()).optional("index that helps", "plan");
    }

    private static TextTable layouts(Layouts found) {
        Columns<Layout> columns = new Columns<Layout>()
                .add("layout", Layout::name)
                .add("ops/s", Layout::opsPerSecond, Figures::rate)
                .add("p99 ms", Layout::p99Micros, Figures::millis)
                .add("log bytes/op", Layout::walBytesPerOperation, bytes -> Figures.decimal(bytes, 0))
                .part(Layout::size, SIZE);
        return TextTable.of(1, columns, found.layouts()).optional("log bytes/op", "p99 ms");
    }

    private static @Nullable Double millis(@Nullable ObservedTime time) {
        return time == null ? null : Double.valueOf(time.millis());
    }

    private static @Nullable Double micros(
            Rehearsal rehearsal, RehearsedOperation operation, ToDoubleFunction<Latency> figure) {
        Latency times = rehearsal.times(operation.operation());
        return times == null || times.count() == 0 ? null : Double.valueOf(figure.applyAsDouble(times));
    }
}
