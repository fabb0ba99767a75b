package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.Sum.Addend;
import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SumTest {
    record WithoutRule(@Nullable Double share) {}

    record WithRules(
            @By(Rule.ADDED) @Nullable Long known,
            @By(Rule.ALL_KNOWN) @Nullable Long all,
            @By(Rule.MAX) int greatest,
            @By(Rule.FIRST) int first,
            boolean flag) {}

    @Test
    void numberWithoutARuleIsRefusedEvenIfItIsUnknown() {
        List<WithoutRule> unknown = List.of(new WithoutRule(null));

        assertThatThrownBy(() -> Sum.of(unknown))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("share");
    }

    @Test
    void numbersFollowTheirRules() {
        assertThat(Sum.of(List.of(new WithRules(1L, 1L, 5, 3, true), new WithRules(null, null, 4, 2, false))))
                .isEqualTo(new WithRules(1L, null, 5, 3, true));
        assertThat(Sum.of(List.of(new WithRules(1L, 1L, 5, 3, false), new WithRules(2L, 3L, 6, 2, true))))
                .isEqualTo(new WithRules(3L, 4L, 6, 3, false));
    }

    /** The results that are added up when hosts, nodes or blocks are merged, and the records in them. */
    static Set<Class<?>> addedRecords() {
        Set<Class<?>> all = new LinkedHashSet<>();
        Stream.of(ClientInfo.class, OperationResult.class, NodeResult.class, Pauses.class, LoadResult.Open.class)
                .forEach(type -> collect(type, all));
        return all;
    }

    private static void collect(Type type, Set<Class<?>> all) {
        if (type instanceof ParameterizedType parameterized) {
            Stream.of(parameterized.getActualTypeArguments()).forEach(argument -> collect(argument, all));
        } else if (type instanceof Class<?> found
                && found.isRecord()
                && found != Latency.class // by its histogram
                && !Addend.class.isAssignableFrom(found)
                && all.add(found)) {
            Stream.of(found.getRecordComponents())
                    .filter(component -> !isReplaced(component))
                    .forEach(component -> collect(component.getGenericType(), all));
        }
    }

    private static boolean isReplaced(RecordComponent component) {
        By by = component.getAnnotation(By.class);
        return by != null && by.value() == Rule.BY_CALLER;
    }

    @ParameterizedTest
    @MethodSource("addedRecords")
    void everyNumberOfAResultThatIsAddedHasARule(Class<?> added) {
        for (RecordComponent component : added.getRecordComponents()) {
            assertThatCode(() -> Sum.rule(component)).doesNotThrowAnyException();
        }
    }
}
