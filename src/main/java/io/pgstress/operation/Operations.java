package io.pgstress.operation;

import io.pgstress.operation.user.OwnOperation;
import io.pgstress.plan.user.UserOperation;
import java.util.List;

/** The operations, a line each. */
public final class Operations {
    /** All operations, in the order of the help. */
    public static final List<OperationType> ALL =
            List.of(FindFirst.TYPE, FindIn.TYPE, Find.TYPE, FindUpdate.TYPE, FindInsert.TYPE, FindDelete.TYPE);

    private Operations() {}

    /** Every name that an operation goes by. */
    public static List<String> names() {
        return ALL.stream().flatMap(o -> o.names().stream()).toList();
    }

    /**
     * The operation of this name, a registered one or one of the user's own.
     *
     * @throws IllegalArgumentException where there is none
     */
    public static Operation create(String name, OperationType.Context context) {
        for (UserOperation own : context.options().userOperations()) {
            if (own.name().equals(name)) {
                return new OwnOperation(own, context);
            }
        }
        return ALL.stream()
                .filter(o -> o.names().contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such operation: " + name))
                .factory()
                .create(context);
    }
}
