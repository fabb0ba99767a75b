package io.pgstress.report;

import io.pgstress.machine.MachineProfile;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.result.Comparison.Variant;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Step;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import io.pgstress.verdict.RehearsalAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A fictitious comparison and scaling, the same at every call. */
public final class MoreSamples {
    /** The mean of the samples' lognormal times is that many medians. */
    private static final double MEAN_OF_MEDIAN = Math.exp(0.125);

    private MoreSamples() {}

    /** Three variants in twelve rounds: one faster, one undecided. */
    public static Comparison comparison() {
        RunResult run = Samples.closed();
        List<String> names = List.of("prepared", "extended", "plain");
        List<Variant> variants = new ArrayList<>();
        for (String name : names) {
            variants.add(new Variant(
                    name,
                    Map.of("statement", name),
                    12,
                    4000 * speed(name),
                    Map.of("find_first", Samples.operation(names.indexOf(name), 20_000, "total", Map.of())),
                    Map.of("bytesOutPerOperation", 100.5 + names.indexOf(name), "roundTripsPerOperation", 1.0),
                    machines(MachineProfile::load),
                    Bottleneck.of(Samples.servers().machines(), 0)));
        }
        return new Comparison(
                run.header().with(Records.with(run.run(), "id", "comparison")),
                Comparison.KIND,
                "prepared",
                "opsPerSecond",
                0.95,
                0.02,
                null,
                variants,
                List.of(
                        new Effect(
                                "extended",
                                "opsPerSecond",
                                0.91,
                                0.885,
                                0.94,
                                "slower",
                                12,
                                null,
                                null,
                                List.of(RemarkCode.CAUSE_BYTES_SENT
                                        .with("variant", "extended")
                                        .with("own", 105.0)
                                        .with("baseline", "prepared")
                                        .with("other", 45.0)
                                        .remark())),
                        new Effect("extended", "p50", 1.08, 1.05, 1.11, "slower", 12, null, null, List.of()),
                        new Effect("extended", "p99", 1.04, 0.96, 1.13, "undecided", 12, null, 95.0, List.of()),
                        new Effect("plain", "opsPerSecond", 0.995, 0.985, 1.005, "same", 12, null, null, List.of()),
                        new Effect("plain", "p50", 1.01, 0.97, 1.05, "undecided", 12, null, 40.0, List.of()),
                        new Effect("plain", "p99", 0.93, 0.88, 0.985, "faster", 12, null, null, List.of())),
                blocks(names),
                new Comparison.Drift(
                        1.001,
                        0.999,
                        1.003,
                        true,
                        Map.of("extended", 1.009, "plain", 1.01, "prepared", 1.008),
                        "No drift over the rounds is visible (-1.1% to +3.4% in total)."),
                List.of(new LimitCheck("ops<-3%", "extended", true, true, "9.0% fewer, the interval ends at 6.0%")),
                List.of(
                        "extended is slower than prepared: 9.0% fewer operations per second (6.0% to 11.5%).",
                        "plain is the same as prepared within 2%."),
                new Validity(true, List.of(), Samples.warnings("Client and server share a machine")),
                machines(MachineProfile::properties));
    }

    private static List<MachineProfile> machines(UnaryOperator<MachineProfile> parts) {
        return Samples.servers().machines().all().stream().map(parts).toList();
    }

    /** The comparison on the operation's own tables, without a margin. */
    public static Comparison onOwnTables() {
        Comparison some = comparison();
        DatasetInfo own = new DatasetInfo("(own tables)", "int", 0, 0, null, 0, 0, null, List.of());
        return Records.with(Records.with(some, "margin", 0.0), "header", Records.with(some.header(), "dataset", own));
    }

    private static double speed(String name) {
        return name.equals("extended") ? 0.91 : name.equals("plain") ? 0.995 : 1;
    }

    private static List<Block> blocks(List<String> names) {
        Random random = new Random(7);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 36; i++) {
            String name = names.get((i + i / 3) % 3);
            double ops = 4000 * speed(name) * (1 + 0.02 * random.nextGaussian());
            blocks.add(new Block(i / 3, name, null, i * 4.0, 3, ops, 200.0, 180, 580 + i, 0));
        }
        return blocks;
    }

    /** Seven steps up to 64 clients, with the knee at 16. */
    public static Scaling scaling() {
        RunResult run = Samples.closed();
        Scaling.Fit fit = new Scaling.Fit(
                new Coefficient(1000, 980.0, 1020.0),
                new Coefficient(0.03, 0.026, 0.034),
                new Coefficient(0.00165, 0.0014, 0.0019));
        List<Step> steps = new ArrayList<>();
        Random random = new Random(3);
        for (int clients = 1; clients <= 64; clients *= 2) {
            double ops = fit.at(clients) * (1 + 0.015 * random.nextGaussian());
            Latency times = IntervalSamples.latency(clients, 2000, 1e6 * clients / ops / MEAN_OF_MEDIAN);
            steps.add(new Step(clients, 5, ops, ops * 0.97, ops * 1.03, times, 0));
        }
        return new Scaling(
                run.header().with(Records.with(run.run(), "id", "scaling")),
                Scaling.KIND,
                steps,
                fit,
                point(steps.get(4)),
                point(steps.get(5)),
                search(steps),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "16 clients are enough: %,.0f operations per second with a p99 of %.2f ms.",
                                point(steps.get(4)).opsPerSecond(),
                                point(steps.get(4)).p99Micros() / 1000),
                        "8 clients are not enough: 68.5% to 71.7% of the throughput of 32 clients (6 rounds).",
                        "16 clients reach 97.1% to 99.1% of the throughput of 32 clients (6 rounds)."),
                Validity.NONE);
    }

    private static Point point(Step step) {
        return new Point(
                step.clients(), step.opsPerSecond(), step.latencyMicros().p99());
    }

    private static Scaling.Repeat repeat(Step step, int round) {
        return new Scaling.Repeat(
                step.clients(),
                4,
                step.opsPerSecond() + 10 * round - 25,
                step.latencyMicros().p99(),
                0);
    }

    /** A search for the highest rate with p99 below 10 ms, which is about 8,200. */
    public static RateSearch rateSearch() {
        RunResult run = Samples.open();
        List<RateSearch.TriedRate> tried = new ArrayList<>();
        double[] rates = {
            2_000, 4_000, 8_000, 16_000, 11_300, 9_510, 8_720, 8_500, 8_600, 8_200, 8_200, 8_200, 8_600, 8_200, 8_200
        };
        for (int i = 0; i < rates.length; i++) {
            double mean = 500 / (1 - Math.min(0.95, rates[i] / 10_000));
            boolean isHeld = rates[i] < 8_300;
            long operations = Math.round(rates[i] * (i < 4 ? 2 : 4));
            double share = isHeld ? rates[i] / 1e6 : 0.02;
            tried.add(new RateSearch.TriedRate(
                    rates[i],
                    i < 4 ? "bracketing" : i < 8 ? "bisection" : "confirmation",
                    i < 4 ? 2 : i < 8 ? 4 : 8,
                    rates[i],
                    IntervalSamples.latency(i, 2000, mean).withoutHistogram(),
                    0,
                    rates[i] < 10_000,
                    rates[i] < 10_000,
                    isHeld,
                    List.of(new RateSearch.BeyondLimit(
                            operations, Math.round(operations * share), share * 0.8, share * 1.2))));
        }
        return new RateSearch(
                run.header()
                        .with(Records.with(
                                Records.with(run.run(), "id", "rates"),
                                "workload",
                                run.run().workload().with(32, List.of()))),
                RateSearch.KIND,
                List.of(new RateSearch.KeptLimit("p99<10ms", 10_000, 0.01)),
                11_400,
                tried,
                8_200.0,
                8_050.0,
                8_400.0,
                5,
                5,
                8_600.0,
                List.of(
                        "8,200 ops/s keep p99 < 10ms (kept in 5 of 5 runs, limit between 8,050 and 8,400 ops/s); at 8,600 ops/s p99 was 11.5 ms."),
                Validity.NONE);
    }

    /** A rehearsal with a difference, a missing index, and an operation without an index. */
    public static Rehearsal rehearsal() {
        RunResult run = Samples.open();
        RunResult load = run.with(run.header().with(Records.with(run.run(), "id", "rehearsal")));
        List<String> names = List.copyOf(load.operations().keySet());
        return RehearsalAnswer.judged(new Rehearsal(
                load.header(),
                Rehearsal.KIND,
                Rehearsal.Answer.UNKNOWN,
                List.of(),
                new Rehearsal.ProfilePart(4_812, 0, Map.of("shop.users", 12L)),
                80.0,
                4_000.0,
                List.of(
                        new Rehearsal.RehearsedCollection(
                                "shop.orders",
                                "orders",
                                20_000,
                                Map.of(),
                                4_200_000,
                                new Rehearsal.TableBytes(4_000_000, 200_000, 900_000),
                                new Rehearsal.Difference(
                                        0, 0, 1, "7", List.of("address.city"), "./stress diff dump --schema shop"),
                                List.of(new Rehearsal.MissingIndex(
                                        "email_1", "rows with the same values: _id 1, 2", true, List.of("email")))),
                        new Rehearsal.RehearsedCollection(
                                "shop.items",
                                "items",
                                300,
                                Map.of("U+0000", 2L),
                                60_000,
                                new Rehearsal.TableBytes(70_000, 0, 20_000),
                                null,
                                List.of())),
                List.of(new Rehearsal.RehearsedOperation(
                        names.get(0),
                        1,
                        new Rehearsal.ObservedTime(2, 3.0),
                        new Rehearsal.ObservedTime(9, null),
                        List.of("city"),
                        List.of("Seq Scan"),
                        true,
                        List.of("create index on orders using btree ((data -> 'city'))"))),
                "/home/me/.local/share/pgstress/rehearsals/1.yaml",
                List.of("3 entries of system.profile cannot be read"),
                load,
                rateSearch(),
                layouts(),
                Validity.NONE));
    }

    private static Rehearsal.Layouts layouts() {
        return new Rehearsal.Layouts(
                List.of(
                        new Rehearsal.Layout(
                                "as imported",
                                List.of(),
                                new Rehearsal.TableBytes(4_000_000, 200_000, 900_000),
                                4_000,
                                2_500.0,
                                310.0),
                        new Rehearsal.Layout(
                                "expression indexes",
                                List.of("create index on orders using btree ((data -> 'city'))"),
                                new Rehearsal.TableBytes(4_000_000, 200_000, 1_500_000),
                                9_200,
                                1_100.0,
                                402.0)),
                List.of(
                        RemarkCode.LAYOUT_FASTER
                                .with("layout", "expression indexes")
                                .with("ratio", 2.3)
                                .with("low", 2.21)
                                .with("high", 2.39)
                                .with("megabytes", 5.7)
                                .with("importedMegabytes", 5.1)
                                .with("walBytes", 402.0)
                                .with("importedWalBytes", 310.0)
                                .with("slower", "update_by_id")
                                .with("sql", "create index on orders using btree ((data -> 'city'))")
                                .remark(),
                        RemarkCode.LAYOUTS_NOT_TRIED
                                .with("layouts", "fillfactor 85")
                                .remark()),
                "/home/me/.local/share/pgstress/rehearsals/1.yaml.layouts.yaml",
                comparison());
    }

    private static Scaling.KneeSearch search(List<Step> steps) {
        List<Scaling.Repeat> repeats = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            for (Step step : steps.subList(3, 6)) {
                repeats.add(repeat(step, round));
            }
        }
        return new Scaling.KneeSearch(
                32,
                0.97,
                0.95,
                16,
                16,
                108,
                null,
                List.of(
                        new Scaling.Ratio(8, 6, 0.701, 0.685, 0.717, false),
                        new Scaling.Ratio(16, 6, 0.981, 0.971, 0.991, true),
                        new Scaling.Ratio(64, 6, 0.742, 0.725, 0.759, false)),
                repeats);
    }
}
