package io.pgstress.plan;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Finds given options that affect no operation of the run. */
final class OptionEffect {
    private OptionEffect() {}

    /** The reason for each option without effect. Options that no operation declares affect all operations. */
    static Map<Option<?>, String> missing(RunSpec spec, OperationCatalog operations) {
        List<String> mix = WeightedOperation.names(spec.mix());
        List<OperationKind> run = new ArrayList<>(operations.registered());
        try {
            run.addAll(operations.custom(spec.options()));
        } catch (InvalidPlanException e) {
            return Map.of(); // reported where the operations are read
        }
        Map<Option<?>, String> missing = new LinkedHashMap<>();
        for (Option<?> option : spec.options().given()) {
            TreeSet<String> users = new TreeSet<>();
            operations.registered().stream()
                    .filter(kind -> kind.options().contains(option))
                    .forEach(kind -> users.addAll(kind.names()));
            if (!users.isEmpty()
                    && spec.options().isOther(option)
                    && OperationKind.named(mix, run).stream()
                            .noneMatch(kind -> kind.options().contains(option))) {
                missing.put(
                        option,
                        "has no effect on " + String.join(", ", mix) + "; it is for " + String.join(", ", users));
            }
        }
        return missing;
    }
}
