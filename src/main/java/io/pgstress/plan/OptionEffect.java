package io.pgstress.plan;

import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomParameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds options that were given and have no effect on any operation of the run. */
final class OptionEffect {
    /** Those that an operation of the user's own may heed. */
    private static final Set<String> OF_OWN = Set.of("no-reset", "key-distribution", "key-sample");

    private final Map<String, Set<String>> byOption;

    /** @param byOption the operations that heed an option; options without an entry are heeded by all */
    OptionEffect(Map<String, Set<String>> byOption) {
        this.byOption = Map.copyOf(byOption);
    }

    /** By name, what is wrong with those among the given ones that no operation heeds. */
    Map<String, String> without(RunSpec spec, Set<String> given) {
        List<String> mix = spec.mix().stream().map(WeightedOperation::name).toList();
        List<CustomOperation> own = spec.operation().userOperations();
        Map<String, String> without = new LinkedHashMap<>();
        for (String option : new TreeSet<>(given)) {
            Set<String> heeding = byOption.get(option);
            if (heeding != null
                    && !isDefault(spec, option)
                    && mix.stream().noneMatch(heeding::contains)
                    && own.stream().noneMatch(o -> isHeeded(option, o))) {
                without.put(
                        option,
                        "has no effect on " + String.join(", ", mix) + "; it is for "
                                + String.join(", ", new TreeSet<>(heeding)));
            }
        }
        return without;
    }

    private static boolean isHeeded(String option, CustomOperation own) {
        return option.equals("id-slice")
                ? own.parameters().values().stream().anyMatch(CustomParameter.Sequence.class::isInstance)
                : OF_OWN.contains(option);
    }

    private static boolean isDefault(RunSpec spec, String option) {
        return RunOptions.ALL.stream()
                .anyMatch(o -> o.name().equals(option)
                        && o.defaults().equals(spec.options().getOrDefault(option, List.of())));
    }
}
