package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import org.junit.jupiter.api.Test;

/** A host whose seconds are not those of the run is named. */
final class HostsProbeTest {
    private final RemoteHost host = new TestHosts(2).host(1);

    @Test
    void namesAHostThatMeasuredLonger() {
        assertThat(HostsProbe.differences(host, 10.4, 10, 1_000.0))
                .containsExactly(Remark.of(RemarkCode.HOST_MEASURED_OTHERWISE, 10.4, 10.0));
        assertThat(HostsProbe.differences(host, 9.8, 10, null)).hasSize(1);
    }

    @Test
    void permitsTheErrorOfTheClockAndAHundredth() {
        assertThat(HostsProbe.differences(host, 10.09, 10, null)).isEmpty();
        assertThat(HostsProbe.differences(host, 10.29, 10, 200_000.0)).isEmpty();
        assertThat(HostsProbe.differences(host, 0, 0, 200.0)).isEmpty();
    }
}
