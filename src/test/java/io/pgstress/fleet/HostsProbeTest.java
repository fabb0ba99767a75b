package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RemarkCode;
import org.junit.jupiter.api.Test;

/** A host whose seconds are not those of the run is named. */
final class HostsProbeTest {
    private final RemoteHost host = new TestHosts(2).host(1);

    @Test
    void namesAHostThatMeasuredLonger() {
        assertThat(HostsProbe.differences(host, 10.4, 10, 1_000.0))
                .containsExactly(RemarkCode.HOST_MEASURED_OTHERWISE
                        .with("measuredSeconds", 10.4)
                        .with("runSeconds", 10.0)
                        .remark());
        assertThat(HostsProbe.differences(host, 9.8, 10, null)).hasSize(1);
    }

    @Test
    void permitsTheErrorOfTheClockAndAHundredth() {
        assertThat(HostsProbe.differences(host, 10.09, 10, null)).isEmpty();
        assertThat(HostsProbe.differences(host, 10.29, 10, 200_000.0)).isEmpty();
        assertThat(HostsProbe.differences(host, 0, 0, 200.0)).isEmpty();
    }
}
