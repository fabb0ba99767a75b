package io.pgstress.plan;

import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.OperationsFile;
import io.pgstress.plan.option.Nearest;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The operations: {@code --op} with its weights, and the user's own of {@code --operations}. */
final class MixReader {
    private MixReader() {}

    /** The user's own; none may have the name of one that is registered. */
    static List<CustomOperation> userOperations(OptionValues v, List<String> operations) {
        List<CustomOperation> own = new ArrayList<>();
        for (String file : v.list("operations")) {
            try {
                own.addAll(OperationsFile.read(Path.of(file), v.choice("key-distribution", KeyDistribution.class)));
            } catch (UncheckedIOException e) {
                v.problem(
                        "operations",
                        file + " cannot be read: " + Unreadable.reason(Objects.requireNonNull(e.getCause())));
            }
        }
        Set<String> taken = new HashSet<>(operations);
        own.stream()
                .filter(o -> !taken.add(o.name()))
                .forEach(o -> v.problem("operations", o.source().tell("there is another operation of this name")));
        return own;
    }

    /** The names in the text of a mix, right or wrong. */
    static List<String> names(String mix) {
        return Stream.of(mix.split(",", -1)).map(MixReader::name).toList();
    }

    private static String name(String part) {
        int colon = part.lastIndexOf(':');
        return (colon < 0 ? part : part.substring(0, colon)).trim();
    }

    /** What is to be run, and how often of all. */
    static List<WeightedOperation> mix(OptionValues v, List<String> operations, List<CustomOperation> own) {
        List<String> known = new ArrayList<>(operations);
        own.forEach(o -> known.add(o.name()));
        boolean isUnread = own.isEmpty() && !v.list("operations").isEmpty();
        List<WeightedOperation> mix = new ArrayList<>();
        for (String part : v.text("op").split(",", -1)) {
            int colon = part.lastIndexOf(':');
            String name = name(part);
            if (!isUnread && !known.contains(name)) {
                v.problem(
                        "op",
                        "'" + name + "' is no operation" + Nearest.hint(name, known) + " (there are "
                                + String.join(", ", known) + ")");
            }
            int weight = 1;
            try {
                weight = colon < 0
                        ? 1
                        : Integer.parseInt(part.substring(colon + 1).trim());
            } catch (NumberFormatException e) {
                weight = 0;
            }
            if (weight < 1) {
                v.problem("op", "the weight in '" + part + "' must be a whole number of at least 1");
            }
            if (mix.stream().anyMatch(o -> o.name().equals(name))) {
                v.problem("op", "'" + name + "' is there twice");
            }
            mix.add(new WeightedOperation(name, weight));
        }
        return List.copyOf(mix);
    }
}
