package io.pgstress.runner;

/**
 * A target rate over time: a ramp from 0 to the first rate, then steps of equal length; the last rate never ends. Its
 * integral is the number of scheduled starts. Times are seconds since the curve's start; immutable.
 */
final class RateCurve {
    private final double[] rates;
    private final double step;
    private final double ramp;

    /**
     * @param rates operations per second of each step, above 0; at least one
     * @param step length of a step in seconds, above 0
     * @param ramp length of the ramp before the first step in seconds, at least 0
     */
    RateCurve(double[] rates, double step, double ramp) {
        this.rates = rates.clone();
        this.step = step;
        this.ramp = ramp;
    }

    /** The rate at this time. */
    double rateAt(double seconds) {
        if (seconds < ramp) {
            return rates[0] * Math.max(0, seconds) / ramp;
        }
        return rates[(int) Math.min(rates.length - 1, (seconds - ramp) / step)];
    }

    /** The integral of the rate up to this time. */
    double integral(double seconds) {
        double inRamp = Math.min(Math.max(0, seconds), ramp);
        double sum = ramp == 0 ? 0 : rates[0] * inRamp * inRamp / ramp / 2;
        double at = ramp;
        for (int i = 0; i < rates.length && seconds > at; i++) {
            double end = i == rates.length - 1 ? seconds : Math.min(seconds, at + step);
            sum += rates[i] * (end - at);
            at += step;
        }
        return sum;
    }

    /** The time at which the integral of the rate reaches this value. */
    double timeOf(double wanted) {
        double rampIntegral = rates[0] * ramp / 2;
        if (wanted < rampIntegral) {
            return Math.sqrt(2 * wanted * ramp / rates[0]);
        }
        double left = wanted - rampIntegral;
        double at = ramp;
        for (int i = 0; i < rates.length - 1 && left >= rates[i] * step; i++) {
            left -= rates[i] * step;
            at += step;
        }
        int last = (int) Math.min(rates.length - 1, Math.round((at - ramp) / step));
        return at + left / rates[last];
    }
}
