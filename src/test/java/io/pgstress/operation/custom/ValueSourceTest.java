package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.operation.custom.ParameterValue.TableChoice;
import io.pgstress.operation.custom.ValueSource.Draws;
import io.pgstress.plan.KeyDistribution;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ValueSourceTest {
    /** Otherwise the statements of a transaction would each have hot rows of their own. */
    @Test
    void allParametersAndOperationsFavorTheSameItems() {
        assertThat(favorite(draws(0, 1))).isEqualTo(favorite(draws(0, 0))).isEqualTo(favorite(draws(2, 5)));
        assertThat(sampler(draws(0, 1)).next())
                .as("other draws")
                .isNotEqualTo(sampler(draws(0, 0)).next());
    }

    private static Draws draws(int operation, int parameter) {
        return new Draws(operation, 0, 1, 42, parameter, new TableChoice());
    }

    private static KeySampler sampler(Draws draws) {
        return draws.sampler(KeyDistribution.ZIPFIAN, 1_000_000);
    }

    private static long favorite(Draws draws) {
        return LongStream.generate(sampler(draws)::next)
                .limit(5_000)
                .boxed()
                .collect(Collectors.groupingBy(id -> id, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }
}
