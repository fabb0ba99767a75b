package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Runs;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PhasesTest {
    @ParameterizedTest
    @CsvSource({
        "--duration 10s, PT1S",
        "--duration 30m, PT1S",
        "--duration 1h, PT2S",
        "--duration 10h, PT20S",
        "--duration 1h --interval 1s, PT1S",
        "--rate 10;20 --step 30m, PT2S",
        "--op bulk_copy, PT1S"
    })
    void longRunHasLongIntervals(String options, Duration interval) {
        assertThat(Runs.spec(options.replace(';', ',')).phases().interval()).isEqualTo(interval);
    }
}
