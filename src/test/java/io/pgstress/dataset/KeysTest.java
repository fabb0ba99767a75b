package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.KeyLoader.KeyRows;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.KeySamplers.ZipfianSampler;
import io.pgstress.dataset.KeySlices.Permutation;
import io.pgstress.dataset.Keys.BitmapKeys;
import io.pgstress.dataset.PackedKeys.KeyMemory;
import io.pgstress.dataset.PackedKeys.PackedKeysBuilder;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.RunOptions;
import io.pgstress.testing.Runs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ids in memory are those that were added, and each is drawn as often as its distribution says. */
final class KeysTest {
    /** Of {@code --key-sample}. */
    private static final int MAX_SAMPLE = 200_000_000;

    private static void add(KeyRows.Sink sink, String id) {
        byte[] text = id.getBytes(StandardCharsets.UTF_8);
        if (!sink.add(text, 0, text.length)) { // called too often for an assertion of its own
            throw new AssertionError("no room for " + id);
        }
    }

    private static List<String> texts(Keys keys) {
        return LongStream.range(0, keys.size()).mapToObj(keys::text).toList();
    }

    private static String objectId(long i) {
        return String.format("%08x%06x%04x%06x", 0x5f000000 + i / 1000, 0xabcdef, 17, i * 7919 % 1_000_003);
    }

    @Test
    void packedTextComesBackUnchanged() {
        List<String> ids = new ArrayList<>(List.of("", "0", "ab", "abc", "ABC", "ä€😀", "-1", "00ff", "0e1.50"));
        ids.add("x".repeat(14));
        ids.add("x".repeat(15) + "y");
        ids.add("x".repeat(15) + "z");
        ids.add("long ".repeat(6_000));
        ids.add("long ".repeat(6_000) + "er");
        ids.add("550e8400-e29b-41d4-a716-446655440000");
        ids.add("550e8400-e29b-41d4-a716-44665544000A");
        ids.add("550e8400e29b-41d4-a716-446655440000-");
        for (int i = 0; i < 100; i++) {
            ids.add(objectId(i));
            ids.add(new UUID(i, -i).toString());
        }
        try (PackedKeysBuilder builder = new PackedKeysBuilder(KeyType.TEXT, 1 << 20)) {
            ids.forEach(id -> add(builder, id));

            assertThat(texts(builder.keys())).isEqualTo(ids);
        }
    }

    @Test
    void packedNumbersComeBackUnchanged() {
        List<Long> ids = List.of(Long.MIN_VALUE, -70_000L, -1L, 0L, 1L, 255L, 256L, 1L << 40, Long.MAX_VALUE);
        try (PackedKeysBuilder builder = new PackedKeysBuilder(KeyType.BIGINT, 1 << 20)) {
            ids.forEach(id -> add(builder, id.toString()));
            Keys keys = builder.keys();

            assertThat(LongStream.range(0, keys.size()).map(keys::number).boxed())
                    .isEqualTo(ids);
        }
    }

    @Test
    void idsBeyondTheHeapComeBackUnchanged() {
        int count = 2_000_000;
        try (PackedKeysBuilder builder = new PackedKeysBuilder(KeyType.TEXT, 1 << 30)) {
            for (int i = 0; i < count; i++) {
                add(builder, Integer.toString(i * 31) + "-of-" + i);
            }
            PackedKeys keys = builder.keys();

            assertThat(keys.bytes()).isGreaterThan(KeyMemory.CHUNK);
            for (int i = 0; i < count; i += 997) {
                assertThat(keys.text(i)).isEqualTo(i * 31 + "-of-" + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aBitmapHoldsTheIdsAndNotTheGaps(int gap) {
        SplitMix random = new SplitMix(7, gap);
        TreeSet<Long> ids = new TreeSet<>(List.of(-10_000L, 10_000L));
        for (long id = -10_000; id < 10_000; id += 1 + random.below(gap)) {
            ids.add(id);
        }
        BitmapKeys.Builder builder = new BitmapKeys.Builder(-10_000, 20_001, KeyType.INT);
        ids.descendingSet().forEach(id -> add(builder, id.toString()));
        add(builder, "-10001");
        add(builder, "10001");
        Keys keys = builder.keys();

        assertThat(LongStream.range(0, keys.size()).map(keys::number).boxed()).containsExactlyElementsOf(ids);
    }

    @Test
    void averageBytesPerIdAreWithinTheLimit() {
        assertThat(bytesPerId(KeyType.TEXT, KeysTest::objectId)).isLessThan(12);
        assertThat(bytesPerId(KeyType.UUID, i -> new UUID(i << 44, i * 0x9E3779B97F4A7C15L).toString()))
                .isLessThan(16);
        assertThat(bytesPerId(KeyType.BIGINT, i -> Long.toString(i << 40))).isLessThan(9);
    }

    private static double bytesPerId(KeyType type, LongFunction<String> id) {
        int count = 200_000;
        try (PackedKeysBuilder builder = new PackedKeysBuilder(type, 1 << 30)) {
            LongStream.range(0, count).forEach(i -> add(builder, id.apply(i)));
            return (double) builder.keys().bytes() / count;
        }
    }

    /** With 99 degrees of freedom, a correct sampler exceeds 160 for one seed in 10,000; these seeds do not. */
    @ParameterizedTest
    @ValueSource(longs = {100, 100_000_000, 5_000_000_000L})
    void uniformDrawsCoverTheWholeRangeEvenly(long size) {
        for (int seed = 0; seed < 5; seed++) {
            KeySampler sampler = KeySamplers.of(KeyDistribution.UNIFORM, size, new SplitMix(seed, 3), seed, 0, 1);
            int draws = 100_000;
            long[] counts = new long[100];
            for (int i = 0; i < draws; i++) {
                counts[(int) (sampler.next() / (size / counts.length))]++;
            }
            double expected = (double) draws / counts.length;
            double chiSquare = LongStream.of(counts)
                    .mapToDouble(n -> (n - expected) * (n - expected) / expected)
                    .sum();
            assertThat(chiSquare).isBetween(40.0, 160.0);
        }
    }

    /** The shares of the hottest ranks are those of Zipf's law: rank r has the weight r^-0.99. */
    @Test
    void zipfianDrawsFollowTheLawInLargeTables() {
        long size = 3_000_000_000L;
        ZipfianSampler sampler = new ZipfianSampler(new SplitMix(1, 2), size, 1);
        Permutation places = new Permutation(size, 1);
        int draws = 200_000;
        int[] ofRank = new int[3];
        for (int i = 0; i < draws; i++) {
            long drawn = sampler.next();
            for (int rank = 0; rank < ofRank.length; rank++) {
                ofRank[rank] += drawn == places.at(rank) ? 1 : 0;
            }
        }
        double sum = 1 / 0.01 * (Math.pow((double) size, 0.01) - 1) + 0.577; // Euler-Maclaurin, to 1%
        for (int rank = 0; rank < ofRank.length; rank++) {
            double expected = draws * Math.pow(rank + 1, -0.99) / sum;
            assertThat((double) ofRank[rank]).isBetween(0.9 * expected, 1.1 * expected);
        }
    }

    /** Of 10,000 ids, sysbench's special distribution draws three quarters from 76; hardly any are far from the middle. */
    @Test
    void specialDrawsAreThoseOfSysbench() {
        KeySampler sampler = KeySamplers.of(KeyDistribution.SPECIAL, 10_000, new SplitMix(1, 2), 1, 0, 1);
        long[] drawn = LongStream.generate(sampler::next).limit(200_000).toArray();

        assertThat(share(drawn, 4_974, 5_050)).isBetween(0.755, 0.765); // 75% and 76 / 10,000 x 12 / sqrt(2 pi) of 25%
        assertThat(share(drawn, 4_167, 5_833))
                .isBetween(0.915, 0.925); // one standard deviation of the others: 68.3% of 25%
        assertThat(LongStream.of(drawn).summaryStatistics().getMin()).isBetween(0L, 2_500L);
        assertThat(share(drawn, 0, 2_499)).isLessThan(0.001);
        for (int size = 1; size <= 100; size++) {
            KeySampler few = KeySamplers.of(KeyDistribution.SPECIAL, size, new SplitMix(1, 3), 1, 0, 1);
            assertThat(share(LongStream.generate(few::next).limit(200).toArray(), 0, size - 1L))
                    .isEqualTo(1);
        }
    }

    private static double share(long[] drawn, long from, long to) {
        return (double) LongStream.of(drawn).filter(d -> d >= from && d <= to).count() / drawn.length;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SPECIAL")
    void everyIdOfASmallTableIsDrawn(KeyDistribution distribution) {
        KeySampler sampler = KeySamplers.of(distribution, 50, new SplitMix(1, 1), 1, 0, 1);
        TreeSet<Long> drawn = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            drawn.add(sampler.next());
        }

        assertThat(drawn).hasSize(50);
        assertThat(drawn.last()).isEqualTo(49);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10, 4_294_967_296L, 5_000_000_000L, 1L << 40})
    void permutationsStayWithinTheRangeAndHitNoPlaceTwice(long size) {
        Permutation permutation = new Permutation(size, 5);
        int few = (int) Math.min(size, 10_000);
        LongStream places = LongStream.concat(
                        LongStream.range(0, few), LongStream.range(Math.max(few, size - few), size))
                .map(permutation::at);

        assertThat(places.boxed())
                .doesNotHaveDuplicates()
                .allSatisfy(place -> assertThat(place).isBetween(0L, size - 1));
    }

    @Test
    void placesOfTheLargestSampleFitIntoFourBytes() {
        KeyMemory places = new KeyMemory();
        long last = 16L * MAX_SAMPLE - 1;
        places.appendInt((int) last);
        places.finish();

        assertThat(last).isGreaterThan(Integer.MAX_VALUE).isLessThan(1L << 32);
        assertThat(places.getInt(0)).isEqualTo(last);
        assertThat(Runs.spec("--key-sample " + MAX_SAMPLE).get(RunOptions.KEY_SAMPLE))
                .isEqualTo(MAX_SAMPLE);
        assertThatThrownBy(() -> Runs.spec("--key-sample " + (MAX_SAMPLE + 1))).hasMessageContaining("key-sample: ");
    }
}
