package io.pgstress.probe.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerClockTest {
    /** The server's clock is 5 s ahead; the first query lasts from 1000 to 3000 ns. */
    @ParameterizedTest
    @CsvSource({
        // the server looks in the first query, start and end of another, the server looks, found
        "2000, 10000, 20000, 18000, 18000",
        "1500, 10000, 20000, 18000, 18500", // presumed to look in the middle of the first
        "1500, 10000, 20000, 19900, 20000", // not after the query
        "1500, 10000, 10500, 10400, 10250", // shorter, so a better comparison
    })
    void shortestQueryComparesTheClocks(long first, long start, long end, long looked, long found) {
        ServerClock clock = new ServerClock();

        assertThat(clock.local(5 + first / 1e9, 1000, 3000)).isEqualTo(2000);
        assertThat(clock.local(5 + looked / 1e9, start, end)).isCloseTo(found, within(1L));
    }

    @Test
    void queryThatFoundNoSessionDoesNotCompareTheClocks() {
        ServerClock clock = new ServerClock();

        assertThat(clock.local(ServerClock.UNKNOWN, 1000, 1100)).isEqualTo(1050);
        assertThat(clock.local(5 + 2e-6, 1000, 3000)).isEqualTo(2000);
        assertThat(clock.local(5 + 18e-6, 10_000, 20_000)).isCloseTo(18_000, within(1L));
    }
}
