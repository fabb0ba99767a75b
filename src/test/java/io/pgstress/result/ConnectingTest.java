package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConnectingTest {
    @Test
    void timeBeforeTheLoadMakesTheMeasurementLonger() {
        Connecting c = Connecting.perClient(1, new Connecting.Window(9, 90));

        assertThat(c.opsPerSecondWith()).isEqualTo(9);
        assertThat(c.opsPerSecondWithout()).isEqualTo(10);
        assertThat(c.opensPerTransaction()).isFalse();
    }

    @Test
    void timeInOperationsMakesTheMeasurementShorter() {
        Connecting c = Connecting.perTransaction(500_000.0, 2, new Connecting.Window(10, 20));

        assertThat(c.opsPerSecondWith()).isEqualTo(2);
        assertThat(c.opsPerSecondWithout()).as("each client connected for 5 s").isEqualTo(4);
        assertThat(c.opensPerTransaction()).isTrue();
    }

    @Test
    void unknownRatesAreNull() {
        Connecting.Window window = new Connecting.Window(10, 20);

        assertThat(Connecting.perTransaction(500_000.0, 0, window).opsPerSecondWithout())
                .as("open loop")
                .isNull();
        assertThat(Connecting.perTransaction(null, 2, new Connecting.Window(10, 0))
                        .opsPerSecondWithout())
                .as("no operation")
                .isNull();
        assertThat(Connecting.perTransaction(1e6, 2, window).opsPerSecondWithout())
                .as("nothing remains")
                .isNull();
        assertThat(Connecting.perClient(1, new Connecting.Window(0, 0)).opsPerSecondWith())
                .isNull();
    }
}
