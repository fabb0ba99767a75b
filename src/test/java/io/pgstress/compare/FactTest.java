package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.Fact.Figure;
import io.pgstress.compare.Fact.Group;
import io.pgstress.compare.Fact.NodeFigure;
import io.pgstress.compare.Fact.OfNode;
import io.pgstress.compare.Fact.OperationWait;
import io.pgstress.compare.Fact.Sampled;
import io.pgstress.compare.Fact.Scans;
import io.pgstress.compare.Fact.SessionWait;
import io.pgstress.compare.Fact.Speed;
import io.pgstress.compare.Fact.Touched;
import io.pgstress.compare.VariantTotals.Count;
import io.pgstress.compare.VariantTotals.GroupWaits;
import io.pgstress.compare.VariantTotals.Server;
import io.pgstress.compare.VariantTotals.Total;
import io.pgstress.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures of variants in results and in saved comparisons. */
final class FactTest {
    private static final Group SLOWEST = new Group(Speed.SLOWEST, "find_first");
    private static final Touched TOUCHED = new Touched("find_first select", 32, "shards");
    private static final Scans SCANS = new Scans("u select of it", "Index Scan using of: 2 and Seq Scan");
    private static final OfNode NODE = new OfNode(NodeFigure.THROTTLED, "worker 10.0.0.1:5432");

    private static Stream<Fact> all() {
        return Stream.of(
                        Stream.of(Figure.values()),
                        Stream.of(NodeFigure.values()).map(figure -> new OfNode(figure, "worker 10.0.0.1:5432")),
                        Stream.of(Speed.values())
                                .map(speed -> new Group(speed, "of: it"))
                                .map(Sampled::new),
                        Stream.of(Speed.values())
                                .map(speed -> new Group(speed, "find_first"))
                                .flatMap(group -> Stream.of(
                                        new OperationWait(group, "worker a:1 Lock:tuple"),
                                        new OperationWait(group, ""))),
                        Stream.of(
                                TOUCHED,
                                new Touched("u update of 2 shards", 128, "datanodes"),
                                SCANS,
                                new SessionWait("on CPU"),
                                new SessionWait("idle: Client/ClientRead")))
                .flatMap(facts -> facts);
    }

    @Test
    void everyFactSurvivesItsNameInResults() {
        Map<Fact, Double> facts = new LinkedHashMap<>();
        all().forEach(fact -> facts.put(fact, facts.size() + 0.5));

        Map<String, Double> written = Fact.toResults(facts);

        assertThat(written).hasSameSizeAs(facts);
        assertThat(Fact.ofResults(written)).containsExactlyInAnyOrderEntriesOf(facts);
        assertThat(facts.keySet().stream().map(Object::getClass).distinct())
                .as("a kind of fact without an example")
                .containsExactlyInAnyOrder(Fact.class.getPermittedSubclasses());
    }

    @Test
    void namesOfOtherVersionsAreLeftOut() {
        assertThat(Fact.ofResults(Map.of("unknownPerOperation", 1.0, "another kind", 2.0, "walkedFar a", 3.0)))
                .isEmpty();
    }

    /** A comparison that is resumed reads them. */
    @Test
    void totalsSurviveTheirFile() {
        VariantTotals totals = new VariantTotals(
                2,
                20,
                Map.of(),
                Map.of(Count.OK, 100.0, Count.CALLS, 200.0, Count.SESSION_SECONDS, 10.0),
                Set.of("platform"),
                new Server(
                        Map.of("on CPU", 5.0),
                        List.of(new GroupWaits(SLOWEST, 7, 2, Map.of("Lock:tuple", 1.0))),
                        List.of(new Total<>(TOUCHED, 3, 2)),
                        List.of(new Total<>(SCANS, 1, 1)),
                        List.of(new Total<>(NODE, 1.8, 2))),
                Map.of(),
                List.of());

        VariantTotals read = Json.read(Json.writeLine(totals), VariantTotals.class);

        assertThat(read).isEqualTo(totals);
        assertThat(VariantFacts.of(read))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        Figure.ROUND_TRIPS,
                        2.0,
                        TOUCHED,
                        1.5,
                        NODE,
                        0.9,
                        SCANS,
                        0.5,
                        new SessionWait("on CPU"),
                        0.5,
                        new Sampled(SLOWEST),
                        7.0,
                        new OperationWait(SLOWEST, "Lock:tuple"),
                        0.5));
    }
}
