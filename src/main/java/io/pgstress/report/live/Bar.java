package io.pgstress.report.live;

/** Progress bars and sparklines, in block elements or ASCII. */
final class Bar {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String STEPS = "_.-=^";

    private Bar() {}

    /** @param share completed share, 0 to 1; larger values are shown as 1 */
    static String progress(double share, int width, boolean unicode) {
        int done = (int) Math.round(Math.max(0, Math.min(1, share)) * width);
        return '[' + (unicode ? "█" : "#").repeat(done) + (unicode ? "░" : ".").repeat(width - done) + ']';
    }

    /** One bar per value, scaled to the greatest; all values are at least 0. */
    static String sparkline(double[] values, boolean unicode) {
        String steps = unicode ? BLOCKS : STEPS;
        double max = 0;
        for (double value : values) {
            max = Math.max(max, value);
        }
        StringBuilder line = new StringBuilder();
        for (double value : values) {
            double share = max == 0 ? 0 : value / max;
            line.append(steps.charAt((int) Math.round(share * (steps.length() - 1))));
        }
        return line.toString();
    }
}
