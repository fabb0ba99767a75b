package io.pgstress.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.compare.statistics.ShareCurve.Point;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where the share of operations beyond a limit reaches the allowed one. */
final class ShareCurveTest {
    /** Trials whose shares are on a line with 1% at 1000 per second. */
    private static List<Point> onALine(double dispersion) {
        return IntStream.of(960, 980, 990, 1010, 1020, 1040)
                .mapToObj(rate -> {
                    double share = 1 / (1 + Math.exp(-Math.log(0.01 / 0.99) - 40 * (rate / 1000.0 - 1)));
                    return new Point(rate, 100_000, 100_000 * share, dispersion);
                })
                .toList();
    }

    @Test
    void findsTheRateOfTheAllowedShare() {
        ShareCurve curve = new ShareCurve(onALine(1), 0.01);

        assertThat(curve.rate(0.95).value()).isCloseTo(1000, within(0.01));
        assertThat(curve.shareAt(1040)).isCloseTo(0.0476, within(0.0001));
    }

    @Test
    void clustersWidenTheInterval() {
        double independent = new ShareCurve(onALine(1), 0.01).rate(0.95).halfWidth();

        assertThat(new ShareCurve(onALine(100), 0.01).rate(0.95).halfWidth())
                .isCloseTo(10 * independent, within(2 * independent));
    }

    @Test
    void stepIsBetweenTheTrialsOnBothSides() {
        Interval rate = new ShareCurve(
                        List.of(new Point(900, 5000, 0, 1), new Point(950, 5000, 0, 1), new Point(1000, 5000, 5000, 1)),
                        0.01)
                .rate(0.95);

        assertThat(rate.value()).isBetween(950.0, 1000.0);
    }
}
