package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Connecting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time for connecting, and the rates with and without it. */
final class ConnectingText {
    private ConnectingText() {}

    /** Without {@code --verbose}, the console shows it only if it is in the rate of the result. */
    static Fact fact(Connecting c) {
        return new Fact(
                "connecting", (c.opensPerTransaction() ? inOperations(c) : before(c)), !c.opensPerTransaction());
    }

    private static String before(Connecting c) {
        return (c.seconds() == null ? "" : Figures.seconds(c.seconds()) + " until all clients were connected, ")
                + "before the load"
                + (c.opsPerSecondWith() == null
                        ? ""
                        : "; " + rate(c.opsPerSecondWithout()) + " ops/s without this time, "
                                + rate(c.opsPerSecondWith()) + " with it");
    }

    private static String inOperations(Connecting c) {
        return "a new session for each operation"
                + (c.meanMicros() == null ? "" : ": " + Figures.time(c.meanMicros()) + " on average")
                + (c.opsPerSecondWith() == null
                        ? ""
                        : "; " + rate(c.opsPerSecondWith()) + " ops/s with connecting"
                                + (c.opsPerSecondWithout() == null
                                        ? ""
                                        : ", " + rate(c.opsPerSecondWithout()) + " without"));
    }

    /** The rates with and without connecting; {@code -} if unknown. */
    static List<String> rates(@Nullable Connecting c) {
        return c == null ? List.of("-", "-") : List.of(rate(c.opsPerSecondWith()), rate(c.opsPerSecondWithout()));
    }

    private static String rate(@Nullable Double perSecond) {
        return perSecond == null ? "-" : Figures.rate(perSecond);
    }
}
