package io.pgstress.operation.catalog;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.plan.OperationCatalog;
import io.pgstress.plan.OperationKind;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the options need to know about registered and user-defined operations. Stateless. */
final class Catalog implements OperationCatalog {
    @Override
    public List<OperationKind> registered() {
        return Operations.ALL.stream().map(Catalog::kind).toList();
    }

    private static OperationKind kind(OperationType type) {
        return new OperationKind(
                type.names(),
                type.options(),
                type.isSelfContained(),
                type.is(Trait.FINITE),
                type.copy(),
                (spec, problems) -> check(type, spec, problems));
    }

    private static void check(OperationType type, RunSpec spec, Problems problems) {
        checkTransaction(type.name(), type.is(Trait.OWN_TRANSACTION), spec, problems);
    }

    private static void checkTransaction(String name, boolean isTransaction, RunSpec spec, Problems problems) {
        if (isTransaction && spec.get(RunOptions.TRANSACTION)) {
            problems.add(RunOptions.TRANSACTION, name + " is already one transaction; leave out --transaction");
        }
    }

    @Override
    public List<Option<?>> sources() {
        return List.of(CustomOperations.FILES);
    }

    @Override
    public List<OperationKind> custom(Options options) {
        Set<String> taken = new HashSet<>(Operations.names());
        List<String> problems = new ArrayList<>();
        List<OperationKind> kinds = new ArrayList<>();
        for (CustomOperation operation : CustomOperations.all(options)) {
            if (!taken.add(operation.name())) {
                problems.add(operation.source().message("another operation has this name"));
            }
            kinds.add(kind(operation));
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return kinds;
    }

    private static OperationKind kind(CustomOperation operation) {
        List<Option<?>> options =
                new ArrayList<>(List.of(RunOptions.NO_RESET, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE));
        return new OperationKind(
                List.of(operation.name()),
                options,
                !operation.needsTable(),
                false,
                operation.copy(),
                (spec, problems) -> checkTransaction(operation.name(), operation.transaction(), spec, problems));
    }

    /** The operations of a run, after its options have been checked. */
    static List<OperationKind> ofMix(Options options) {
        List<String> mix = WeightedOperation.names(options.get(RunOptions.OP));
        Catalog catalog = new Catalog();
        List<OperationKind> kinds = new ArrayList<>(catalog.registered());
        kinds.addAll(catalog.custom(options));
        return OperationKind.named(mix, kinds);
    }
}
