package io.pgstress.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many nodes or shards a statement touches, from a fact such as {@code touched find_first select of 2 datanodes}.
 *
 * @param statement the operation and the statement
 * @param nodes number of nodes touched, averaged over the blocks
 */
record RouteFact(String statement, double nodes, String of, String unit) {
    private static final Pattern FORM = Pattern.compile(VariantFacts.TOUCHED + "(.*) of (\\d+) (\\w+)");

    /** The routes among a variant's facts. */
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

    /** {@code 2 of 2}, or {@code 24.5 of 32} if it varies between blocks. */
    String share() {
        return String.format(Locale.ROOT, nodes == Math.rint(nodes) ? "%.0f of %s" : "%.1f of %s", nodes, of);
    }
}
