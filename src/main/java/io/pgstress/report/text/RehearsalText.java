package io.pgstress.report.text;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.KeptLimit;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Layout;
import io.pgstress.result.Rehearsal.Layouts;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A rehearsal as text and tables: the answer, the collections, the operations. */
final class RehearsalText {
    private static final double MB = 1e6;

    private RehearsalText() {}

    static TextReport of(Rehearsal rehearsal) {
        Facts facts = new Facts();
        Double rate = rehearsal.rate();
        Double observed = rehearsal.observedRate();
        facts.add(
                        "operations",
                        rehearsal.guessed()
                                ? "a guess, because the dump has no system.profile; nothing is known about their rate and times in MongoDB"
                                : "from the dump's system.profile"
                                        + (observed == null ? "" : ", " + Figures.rate(observed) + "/s"))
                .add(
                        "load",
                        Figures.rate(rehearsal.load().total().opsPerSecond()) + " ops/s"
                                + (rate == null ? " in a closed loop" : " of the " + Figures.rate(rate) + " needed"))
                .add("at most", highest(rehearsal.search()));
        rehearsal.notes().forEach(note -> facts.add("note", note));
        Layouts layouts = rehearsal.layouts();
        if (layouts != null) {
            layouts.findings().forEach(found -> facts.add("layout", found.sentences()));
        }
        return new TextReport(
                "rehearsal on " + rehearsal.dataset().table(),
                rehearsal.verdict(),
                facts.all(),
                Stream.of(
                                Stream.of(collections(rehearsal), operations(rehearsal)),
                                Stream.ofNullable(layouts).map(RehearsalText::layouts))
                        .flatMap(tables -> tables)
                        .toList(),
                List.of(),
                "TOAST holds long values, apart from their rows. Times in PostgreSQL are those of the load, seen by its clients;"
                        + " MongoDB's are those of its profile, in whole milliseconds.",
                RunDetails.servers(rehearsal)
                        .add("operations", rehearsal.operationsFile())
                        .all());
    }

    private static String highest(@Nullable RateSearch search) {
        if (search == null) {
            return "";
        }
        String limits = search.limits().stream().map(KeptLimit::limit).collect(Collectors.joining(" and "));
        Double rate = search.rate();
        return (rate == null ? "no rate keeps " : Figures.rate(rate) + " ops/s keep ")
                + limits
                + (search.valid() ? "" : " (not confirmed)");
    }

    private static TextTable collections(Rehearsal rehearsal) {
        Columns<RehearsedCollection> columns = new Columns<RehearsedCollection>()
                .add("collection", RehearsedCollection::collection)
                .count("documents", RehearsedCollection::documents)
                .add("equal", each -> each.difference() == null && each.rejected() == 0 ? "yes" : "no")
                .decimal("BSON MB", each -> each.bsonBytes() / MB, 1)
                .decimal("rows MB", each -> each.size().heapBytes() / MB, 1)
                .decimal("TOAST MB", each -> each.size().toastBytes() / MB, 1)
                .decimal("index MB", each -> each.size().indexBytes() / MB, 1)
                .count("indexes missing", each -> each.missingIndexes().size());
        return TextTable.of(1, columns, rehearsal.collections()).optional("indexes missing", "TOAST MB");
    }

    private static TextTable operations(Rehearsal rehearsal) {
        Columns<RehearsedOperation> columns = new Columns<RehearsedOperation>()
                .add("operation", RehearsedOperation::operation)
                .add("plan", each -> each.scans().isEmpty() ? null : String.join(", ", each.scans()))
                .decimal("%", each -> 100 * each.share(), 1)
                .add("MongoDB p50 ms", each -> millis(each.median()), millis -> Figures.decimal(millis, 0))
                .add("p50 ms", each -> micros(rehearsal, each, Latency::p50), Figures::millis)
                .add("MongoDB p95 ms", each -> millis(each.p95()), millis -> Figures.decimal(millis, 0))
                .add("p95 ms", each -> micros(rehearsal, each, Latency::p95), Figures::millis)
                .add("index that helps", each -> each.index().isEmpty() ? null : String.join("; ", each.index()));
        return TextTable.of(2, columns, rehearsal.operations()).optional("index that helps", "plan");
    }

    private static TextTable layouts(Layouts found) {
        Columns<Layout> columns = new Columns<Layout>()
                .add("layout", Layout::name)
                .add("ops/s", Layout::opsPerSecond, Figures::rate)
                .add("p99 ms", Layout::p99Micros, Figures::millis)
                .add("WAL bytes/op", Layout::walBytesPerOperation, bytes -> Figures.decimal(bytes, 0))
                .decimal("rows MB", each -> each.size().heapBytes() / MB, 1)
                .decimal("TOAST MB", each -> each.size().toastBytes() / MB, 1)
                .decimal("index MB", each -> each.size().indexBytes() / MB, 1);
        return TextTable.of(1, columns, found.layouts()).optional("WAL bytes/op", "p99 ms");
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
