package io.pgstress.verdict;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Rounded;
import java.util.Optional;

/**
 * Little's law for a closed loop: clients = rate x mean time, because each client has exactly one operation in progress, or thinks after
 * it. The mean time includes that pause.
 * Operations that straddle an edge of the window count in either the rate or the mean, so some deviation is normal.
 *
 * @param clients number of clients that sent operations back to back
 * @param seconds the length of the window
 * @param completed operations with any outcome that ended within the window, whenever they began
 * @param begun operations that began within the window
 * @param meanSeconds mean time of the operations that began within the window, and of the pauses after them
 * @param isLeastMean whether some of them had not finished, so that this is a lower bound
 * @param edgeSeconds total duration of the operations and pauses that were in progress at an edge of the window
 */
public record LittlesLaw(
        int clients,
        double seconds,
        long completed,
        long begun,
        double meanSeconds,
        boolean isLeastMean,
        double edgeSeconds) {
    /** Tolerated deviation in addition to the effect of the edges, such as a client's time between two operations. */
    private static final double TOLERANCE = 0.1;

    /** With fewer operations per client, the rate depends on the position of the window. */
    private static final double FEW = 5;

    /** The number of clients implied by rate and mean time, relative to the actual one. */
    public double share() {
        return completed * meanSeconds / (clients * seconds);
    }

    /** How many operations a client can complete within the window. */
    public double operationsPerClient() {
        return meanSeconds == 0 ? Double.POSITIVE_INFINITY : seconds / meanSeconds;
    }

    /** Why the rate and the times cannot both be right; empty if they can. */
    public Optional<Remark> violation() {
        Optional<Remark> excess = excess();
        return excess.isPresent() ? excess : shortfall();
    }

    /** Why the rate is higher than the clients can reach; empty if it is not. */
    public Optional<Remark> excess() {
        double share = share();
        double edges = edgeSeconds / (clients * seconds);
        if (share > 1 + TOLERANCE + (isShort() ? 0 : edges)) {
            return Optional.of(RemarkCode.RATE_OF_WINDOW
                    .with("clients", clients)
                    .with("mean", time(meanSeconds))
                    .with("possible", clients / meanSeconds)
                    .with("ended", completed / seconds)
                    .with("enough", isShort() ? enough() : null)
                    .remark());
        }
        return Optional.empty();
    }

    /** Why the rate is lower than always busy clients would reach; empty if it is not. Meaningless if some waited after failures. */
    public Optional<Remark> shortfall() {
        double share = isLeastMean ? Math.max(completed, begun) * meanSeconds / (clients * seconds) : share();
        double edges = edgeSeconds / (clients * seconds);
        if (share < 1 - TOLERANCE - edges && meanSeconds > 0) {
            return Optional.of(RemarkCode.IDLE_CLIENTS
                    .with("percent", 100 * share)
                    .with("busyClients", share * clients)
                    .with("clients", clients)
                    .remark());
        }
        return Optional.empty();
    }

    /** A warning if the window contains few operations per client; empty if it is long enough. */
    public Optional<Remark> shortWindow() {
        return isShort()
                ? Optional.of(RemarkCode.SHORT_WINDOW
                        .with("measured", time(seconds))
                        .with("only", isLeastMean ? "at most" : "only")
                        .with("operationsPerClient", operationsPerClient())
                        .with("mean", (isLeastMean ? "at least " : "") + time(meanSeconds))
                        .with("enough", enough())
                        .remark())
                : Optional.empty();
    }

    private boolean isShort() {
        return operationsPerClient() < FEW;
    }

    private String enough() {
        return Rounded.format("%.0f s", Math.ceil(2 * FEW * meanSeconds));
    }

    private static String time(double seconds) {
        return seconds < 1 ? Rounded.format("%.1f ms", seconds * 1e3) : Rounded.format("%.1f s", seconds);
    }
}
