package io.pgstress.extra.history;

import io.pgstress.extra.history.KeptRun.Figure;
import io.pgstress.extra.history.Trend.Change;
import io.pgstress.report.format.Figures;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.util.List;

/** The changes over the kept results, for people. */
public final class TrendText {
    private static final int SHORT = 8;

    private TrendText() {}

    /** Writes one paragraph per test. */
    public static void write(List<Trend> trends, Appendable out) throws IOException {
        for (int i = 0; i < trends.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(trends.get(i), out);
        }
    }

    private static void write(Trend trend, Appendable out) throws IOException {
        out.append(trend.test()).append('\n');
        out.append("  ").append(runs(trend)).append('\n');
        for (Change change : trend.changes()) {
            out.append("  ").append(sentence(change, trend.runs())).append('\n');
            for (String other : change.alsoChanged()) {
                out.append("    with it changed: ").append(other).append('\n');
            }
        }
        if (trend.changes().isEmpty() && trend.runs().size() >= Trend.MIN_RUNS) {
            out.append("  no change found\n");
        }
    }

    /** How many runs there are, and from when. */
    static String runs(Trend trend) {
        List<KeptRun> runs = trend.runs();
        String text = Counted.of(runs.size(), "valid run");
        if (runs.size() > 1) {
            text += ", " + day(runs.get(0)) + " to " + day(runs.get(runs.size() - 1));
        }
        if (trend.leftOut() > 0) {
            text += "; " + Figures.count(trend.leftOut()) + " that are not valid are excluded";
        }
        return runs.size() < Trend.MIN_RUNS
                ? text + "; a change can be found from " + Trend.MIN_RUNS + " runs on"
                : text;
    }

    static String day(KeptRun run) {
        return run.startedAt().replaceFirst("T.*", "");
    }

    /** {@code worse: ops/s -10.2% (-11.0 to -9.4) since run 41 of 60 (1a2b3c4d, 2026-11-02T10:00:00Z): 51,300, then 46,100}. */
    static String sentence(Change change, List<KeptRun> runs) {
        KeptRun first = runs.get(change.at());
        return Rounded.format(
                "%s: %s %+.1f%% (%+.1f%% to %+.1f%%) since run %,d of %,d (%s, %s): %s, then %s",
                change.direction(),
                change.figure().label(),
                percent(change.ratio()),
                percent(change.low()),
                percent(change.high()),
                change.at() + 1,
                runs.size(),
                first.id().substring(0, Math.min(SHORT, first.id().length())),
                first.startedAt(),
                value(change.figure(), change.before()),
                value(change.figure(), change.after()));
    }

    private static double percent(double ratio) {
        return 100 * (ratio - 1);
    }

    /** The value of a figure, with its unit if that is not its name. */
    static String value(Figure figure, double value) {
        return figure == Figure.OPS ? Figures.rate(value) : Figures.time(value);
    }
}
