package io.pgstress.dataset;

import io.pgstress.dataset.KeyLoader.KeyRows;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys.BitmapKeys;
import io.pgstress.dataset.Keys.DenseKeys;
import io.pgstress.dataset.PackedKeys.PackedKeysBuilder;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.KeyType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * Memory and time per id of a large table's ids, without a server: {@code KeysFootprint KIND COUNT}, where KIND is dense, gaps,
 * sparse, objectid or uuid. Run it with {@code -Xmx512m}.
 */
public final class KeysFootprint {
    private static final int DRAWS = 5_000_000;

    private KeysFootprint() {}

    public static void main(String[] args) throws IOException {
        String kind = args[0];
        long count = Long.parseLong(args[1]);
        long start = System.nanoTime();
        Keys keys = keys(kind, count);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        String bytes = keys instanceof PackedKeys packed
                ? String.format(Locale.ROOT, ", %.2f bytes per id", (double) packed.bytes() / keys.size())
                : "";
        System.out.printf(
                Locale.ROOT,
                "%s: %,d ids (%s)%s, read in %.1f s%n",
                kind,
                keys.size(),
                keys.getClass().getSimpleName(),
                bytes,
                seconds);
        draw(keys);
        System.out.printf(
                Locale.ROOT,
                "heap in use %d MiB of at most %d%n",
                heap >> 20,
                Runtime.getRuntime().maxMemory() >> 20);
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            Files.readAllLines(status).stream()
                    .filter(line -> line.matches("(VmHWM|RssAnon|RssFile):.*"))
                    .forEach(System.out::println);
        }
    }

    private static Keys keys(String kind, long count) {
        SplitMix random = new SplitMix(1, 1);
        long step = Long.divideUnsigned(-1L, count);
        return switch (kind) {
            case "dense" -> new DenseKeys(1, count, KeyType.BIGINT);
            case "gaps" -> read(new BitmapKeys.Builder(0, 2 * count, KeyType.BIGINT), count, i -> Long.toString(2 * i));
            case "sparse" ->
                read(packed(KeyType.BIGINT), count, i -> Long.toString(i * step + random.below(step) + Long.MIN_VALUE));
            case "objectid" ->
                read(
                        packed(KeyType.TEXT),
                        count,
                        i -> String.format(
                                Locale.ROOT,
                                "%08x%010x%06x",
                                0x50000000 + i / 20,
                                0xabcdef0123L * (1 + i % 7),
                                i & 0xFFFFFF));
            case "uuid" ->
                read(
                        packed(KeyType.UUID),
                        count,
                        i -> new UUID(i * step + random.below(step), random.next()).toString());
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static KeyRows.Sink packed(KeyType type) {
        return new PackedKeysBuilder(type, 16L * KeyLoader.MAX_INDEXED);
    }

    private static Keys read(KeyRows.Sink sink, long count, LongFunction<String> id) {
        for (long i = 0; i < count; i++) {
            byte[] text = id.apply(i).getBytes(StandardCharsets.ISO_8859_1);
            if (!sink.add(text, 0, text.length)) {
                throw new IllegalStateException("no space after " + i + " ids");
            }
        }
        return sink.keys();
    }

    private static void draw(Keys keys) {
        KeySampler sampler = KeySamplers.of(KeyDistribution.UNIFORM, keys.size(), new SplitMix(2, 2), 2, 0, 1);
        for (int round = 0; round < 3; round++) {
            long sum = 0;
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < DRAWS; i++) {
                sum += keys.areNumbers()
                        ? keys.number(sampler.next())
                        : keys.text(sampler.next()).hashCode();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%.0f ns of CPU per draw (checksum %d)%n",
                    (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / DRAWS,
                    sum);
        }
    }
}
