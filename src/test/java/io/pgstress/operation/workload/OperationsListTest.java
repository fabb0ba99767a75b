package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.custom.StepsOperation;
import io.pgstress.operation.script.ScriptOperation;
import io.pgstress.testing.Implementations;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OperationsListTest {
    @Test
    void everyOperationIsListed() throws IllegalAccessException {
        List<Class<?>> classes = Implementations.of(Operation.class);

        assertThat(classes).as("operations found").hasSizeGreaterThan(5);
        for (Class<?> operation : classes) {
            if (operation != StepsOperation.class && operation != ScriptOperation.class) { // from a file
                assertThat(types(operation))
                        .as("types of " + operation.getSimpleName() + ", each with a line in Operations")
                        .isNotEmpty()
                        .allSatisfy(type -> assertThat(Operations.ALL).contains(type));
            }
        }
    }

    @Test
    void everyOperationOfAnOperationsFileIsListed() throws IllegalAccessException {
        assertThat(types(SqlWorkloads.class)).isNotEmpty().isSubsetOf(Operations.ALL);
    }

    @Test
    void namesAreUnique() {
        assertThat(Operations.names()).doesNotHaveDuplicates();
    }

    private static List<OperationType> types(Class<?> holder) throws IllegalAccessException {
        List<OperationType> types = new ArrayList<>();
        for (Field field : holder.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == OperationType.class) {
                field.setAccessible(true);
                types.add((OperationType) field.get(null));
            }
        }
        return types;
    }
}
