package io.pgstress.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An operation of a mix.
 *
 * @param name its registered name
 * @param weight its weight in the mix, at least 1
 */
public record WeightedOperation(String name, int weight) {
    /**
     * Reads {@code find_first:3,find_update}.
     *
     * @throws IllegalArgumentException if a weight is invalid or a name occurs twice
     */
    static List<WeightedOperation> mix(String text) {
        List<WeightedOperation> mix = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String part : text.split(",", -1)) {
            int colon = part.lastIndexOf(':');
            String name = (colon < 0 ? part : part.substring(0, colon)).trim();
            if (!names.add(name)) {
                throw new IllegalArgumentException("names '" + name + "' twice");
            }
            mix.add(new WeightedOperation(name, colon < 0 ? 1 : weight(part.substring(colon + 1), part)));
        }
        return List.copyOf(mix);
    }

    public static List<String> names(List<WeightedOperation> mix) {
        return mix.stream().map(WeightedOperation::name).toList();
    }

    private static int weight(String text, String part) {
        try {
            int weight = Integer.parseInt(text.trim());
            if (weight >= 1) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // reported below, with the numbers out of range
        }
        throw new IllegalArgumentException(
                "has an invalid weight in '" + part + "': it must be a whole number of at least 1");
    }
}
