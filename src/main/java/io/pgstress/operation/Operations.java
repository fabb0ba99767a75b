package io.pgstress.operation;

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

    /** The operation of this name. */
    public static OperationType of(String name) {
        return ALL.stream()
                .filter(o -> o.names().contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such operation: " + name));
    }
}
