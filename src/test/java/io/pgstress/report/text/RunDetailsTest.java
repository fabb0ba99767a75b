package io.pgstress.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.result.RunResult;
import io.pgstress.result.Workload.Think;
import io.pgstress.text.Records;
import org.junit.jupiter.api.Test;

final class RunDetailsTest {
    private static String clients(Think think) {
        RunResult run = Samples.closed();
        RunResult thinking = run.with(run.header()
                .with(Records.with(run.run(), "workload", Records.with(run.run().workload(), "think", think))));
        return new RunDetails(thinking)
                .setup().all().stream()
                        .filter(fact -> fact.label().equals("clients"))
                        .findFirst()
                        .orElseThrow()
                        .text();
    }

    @Test
    void clientsThatThinkAreSaidTo() {
        assertThat(clients(new Think(500_000, false))).contains("thinking 500 ms between operations");
        assertThat(clients(new Think(2_000, true)))
                .contains("thinking 2.00 ms on average (exponential) between operations");
    }
}
