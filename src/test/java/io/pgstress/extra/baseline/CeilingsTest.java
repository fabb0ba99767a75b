package io.pgstress.extra.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.extra.baseline.Ceilings.Ceiling;
import io.pgstress.report.Samples;
import io.pgstress.result.Network;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CeilingsTest {
    @TempDir
    private Path home;

    private final RunResult encrypted = Samples.closed();
    private final RunResult run = encrypted.with(encrypted
            .header()
            .with(encrypted.servers().stream()
                    .map(server -> Records.with(server, "tls", null))
                    .toList()));
    private final double rate = run.total().opsPerSecond();
    private final double bytes = Ceilings.shown(run).orElseThrow().bytes();

    private void keep(double opsPerSecond) throws IOException {
        new Ceilings(home).keep("find_first", run, new Ceiling(1e6 / opsPerSecond, opsPerSecond, bytes));
    }

    private RunResult told(RunResult result) throws IOException {
        return new Ceilings(home).told(result);
    }

    @Test
    void ceilingIsTheRateWithWhichOperationsFillAllCores() {
        RunResult measured = run.with(Records.with(
                run.header(),
                "client",
                Records.with(Records.with(run.client(), "cpus", 4), "cpuMicrosPerOperation", 20.0)));

        assertThat(Ceilings.shown(measured)).contains(new Ceiling(20, 200_000, bytes));
        assertThat(bytes).isPositive();
    }

    @Test
    void measurementFarFromItsCeilingIsNotValidUnlessThatIsAccepted() {
        RunResult near = Ceilings.judged(run, new Ceiling(20, rate * 9, bytes));
        RunResult far = Ceilings.judged(run, new Ceiling(20, rate * 17, bytes));
        RunResult accepted = Ceilings.judged(
                run.with(run.header()
                        .with(Records.with(
                                run.run(),
                                "workload",
                                Records.with(run.run().workload(), "accepted", List.of(RemarkCode.CEILING_FAR))))),
                new Ceiling(20, rate * 17, bytes));

        assertThat(near).isSameAs(run);
        assertThat(far.valid()).isFalse();
        assertThat(far.reasons()).extracting(Remark::code).containsExactly(RemarkCode.CEILING_FAR);
        assertThat(accepted.valid()).isTrue();
        assertThat(accepted.warnings()).extracting(Remark::code).contains(RemarkCode.CEILING_FAR);
    }

    @Test
    void resultTellsTheShareOfTheCeiling() throws IOException {
        keep(rate * 4);

        RunResult told = told(run);

        assertThat(told.serverProfile().bottleneck())
                .contains(RemarkCode.GENERATOR_SHARE.with("percent", 25.0).remark());
        assertThat(told.validity()).isEqualTo(run.validity());
    }

    @Test
    void commandsAtTheSameTimeKeepEachOthersCeilings() throws IOException {
        Ceilings other = new Ceilings(home);
        keep(rate * 4);
        other.keep("find_update", run, new Ceiling(10, 100_000, bytes));

        assertThat(told(run).serverProfile().bottleneck())
                .contains(RemarkCode.GENERATOR_SHARE.with("percent", 25.0).remark());
    }

    @Test
    void highShareIsAWarningInsteadOfTheEstimateByUsedCores() throws IOException {
        keep(rate / 0.8);
        List<Remark> warnings = new ArrayList<>(run.validity().warnings());
        warnings.add(RemarkCode.CLIENT_CPU.with("cores", 1.6).with("cpus", 2).remark());
        RunResult busy = run.withRemarks(run.validity().reasons(), warnings);

        List<Remark> told = told(busy).validity().warnings();

        assertThat(told).extracting(Remark::code).contains(RemarkCode.GENERATOR_CEILING);
        assertThat(told).noneMatch(warning -> warning.code() == RemarkCode.CLIENT_CPU);
    }

    @Test
    void estimateByUsedCoresStaysBelowAHighShare() throws IOException {
        keep(rate / 0.6);
        RunResult busy = run.withRemarks(
                run.validity().reasons(),
                List.of(RemarkCode.CLIENT_CPU.with("cores", 1.6).with("cpus", 2).remark()));

        assertThat(told(busy).validity().warnings()).isEqualTo(busy.validity().warnings());
    }

    @Test
    void lastMeasurementOfAKindCounts() throws IOException {
        keep(rate * 10);
        keep(rate * 2);

        assertThat(told(run).serverProfile().bottleneck())
                .contains(RemarkCode.GENERATOR_SHARE.with("percent", 50.0).remark());
    }

    @Test
    void nothingIsToldOfOperationsWithoutACeiling() throws IOException {
        assertThat(told(run)).isSameAs(run);

        new Ceilings(home).keep("find_update", run, new Ceiling(10, 100_000, bytes));
        assertThat(told(run)).isSameAs(run);

        RunResult otherClients =
                run.with(Records.with(run.header(), "client", Records.with(run.client(), "threadKind", "another")));
        keep(rate * 2);
        assertThat(told(otherClients)).isSameAs(otherClients);
        assertThat(told(encrypted)).isSameAs(encrypted);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.7, 0.8, 1.2, 1.3})
    void nothingIsToldOfSmallerOrLargerDocuments(double times) throws IOException {
        keep(rate * 2);
        Network network = run.load().network();
        RunResult other = run.with(run.load().withNetwork(new Network(0, 0, (long) (times * network.bytesIn()), (long)
                (times * network.bytesOut()))));

        if (Math.abs(times - 1) > 0.25) {
            assertThat(told(other)).isSameAs(other);
        } else {
            assertThat(told(other).serverProfile().bottleneck())
                    .contains(RemarkCode.GENERATOR_SHARE.with("percent", 50.0).remark());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{}", "null", "{\"ceilings\": [null]}", "{\"ceilings\": [{}]}"})
    void damagedFileIsNamed(String contents) throws IOException {
        Path file = Files.writeString(home.resolve("ceilings.json"), contents);

        assertThatThrownBy(() -> told(run)).isInstanceOf(TextException.class).hasMessageContaining(file.toString());
    }
}
