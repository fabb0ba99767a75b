package io.pgstress.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many nodes or shards a statement goes to, as a fact of the form {@code touched find_first select of 2 datanodes}.
 *
 * @param statement with its operation
 * @param nodes touched, averaged over the blocks
 */
record RouteFact(String statement, double nodes, String of, String unit) {
    private static final Pattern FORM = Pattern.compile(VariantFacts.TOUCHED + "(.*) of (\\d+) (\\w+)");

    /** Those among a variant's facts. */
    static List<RouteFact> of(Map<String, Double> facts) {
        return facts.entrySet().stream()
                .map(fact -> Map.entry(FORM.matcher(fact.getKey()), fact.getValue()))
                .filter(fact -> fact.getKey().matches())
                .map(fact -> of(fact.getKey(), fact.getValue()))
                .toList();
    }

    private static RouteFact of(Matcher name, double nodes) {
        return new RouteFact(name.group(1), nodes, name.group(2), name.group(3));
    }

    /** {@code 2 of 2}; {@code 24.5 of 32} where it is not the same in all blocks. */
    String share() {
        return String.format(Locale.ROOT, nodes == Math.rint(nodes) ? "%.0f of %s" : "%.1f of %s", nodes, of);
    }
}
