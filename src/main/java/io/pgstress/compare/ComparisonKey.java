package io.pgstress.compare;

import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Identifies a comparison: a hash of the variants with all their options and operations files, of the hooks and of the
 * order. The duration is not part of it, so that a comparison can be resumed with a
 * longer one.
 */
public final class ComparisonKey {
    private static final int LENGTH = 16;

    private ComparisonKey() {}

    public static String of(Scenario scenario, Workload workload) {
        StringBuilder text = new StringBuilder(workload.name());
        text.append('\n').append(scenario.hooks());
        text.append('\n').append(scenario.baseline());
        text.append('\n').append(scenario.effort().seed());
        for (Variant variant : workload.variants()) {
            Map<String, Object> options = new TreeMap<>(variant.spec().options().texts());
            text.append('\n').append(variant.name()).append(options);
            text.append(CustomOperations.ofMix(variant.spec().options()));
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
