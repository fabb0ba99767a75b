package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * The Universal Scalability Law, X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)) (Gunther, Guerrilla Capacity
 * Planning, 2007), fitted to measured throughputs by nonlinear least squares of the logarithms, so that errors are
 * relative. Contention sigma is limited to 0 to 1, and kappa is at least 0; if the unconstrained optimum lies outside, the
 * best fit on the boundary is used. Intervals follow from the curvature at the optimum (Student's t), cut off at the limits.
 */
public final class UslFit {
    private static final int MIN_STEPS = 4;
    private static final int MAX_TRIES = 10_000;
    private static final double SINGULAR = 1e-14;

    /** Fixed values of sigma and kappa; NaN: not fixed. The first row is the unconstrained law. */
    private static final double[][] BORDERS = {
        {Double.NaN, Double.NaN}, {0, Double.NaN}, {1, Double.NaN}, {Double.NaN, 0}, {0, 0}, {1, 0}
    };

    private final double[] clients;
    private final double[] logs;
    private final double alone;

    private UslFit(double[] clients, double[] throughput) {
        this.clients = clients.clone();
        this.logs = Arrays.stream(throughput).map(Math::log).toArray();
        double most = 0;
        for (int i = 0; i < clients.length; i++) {
            most = Math.max(most, throughput[i] / clients[i]);
        }
        this.alone = most;
    }

    /** The coefficients with their confidence intervals. */
    public record Coefficients(Interval lambda, Interval sigma, Interval kappa) {}

    /** Coefficients (logarithm of lambda, sigma, kappa) and the sum of their squared errors. */
    private record Curve(RealVector point, double squares) {
        private boolean isWithinLimits() {
            double sigma = point.getEntry(1);
            return sigma >= 0 && sigma <= 1 && point.getEntry(2) >= 0;
        }
    }

    /**
     * The fit; empty with fewer than {@value #MIN_STEPS} numbers of clients, or if no curve fits.
     *
     * @param throughput throughput of each step, above 0
     */
    public static Optional<Coefficients> of(double[] clients, double[] throughput, double confidence) {
        if (Arrays.stream(clients).distinct().count() < MIN_STEPS
                || Arrays.stream(throughput).anyMatch(x -> x <= 0)) {
            return Optional.empty();
        }
        UslFit fit = new UslFit(clients, throughput);
        return fit.curve(BORDERS[0])
                .filter(Curve::isWithinLimits)
                .or(() -> Arrays.stream(BORDERS)
                        .flatMap(border -> fit.curve(border).stream())
                        .filter(Curve::isWithinLimits)
                        .min(Comparator.comparingDouble(Curve::squares)))
                .flatMap(curve -> fit.coefficients(curve, confidence));
    }

    private Optional<Curve> curve(double[] held) {
        try {
            Optimum optimum = new LevenbergMarquardtOptimizer()
                    .optimize(new LeastSquaresBuilder()
                            .start(new double[] {Math.log(alone), 0.05, 0.001})
                            .model((MultivariateJacobianFunction) p -> model(p, held))
                            .parameterValidator(p -> hold(p, held))
                            .target(logs)
                            .maxEvaluations(MAX_TRIES)
                            .maxIterations(MAX_TRIES)
                            .build());
            double squares = optimum.getResiduals().dotProduct(optimum.getResiduals());
            return Double.isNaN(squares) ? Optional.empty() : Optional.of(new Curve(optimum.getPoint(), squares));
        } catch (MathIllegalArgumentException | MathIllegalStateException e) {
            return Optional.empty(); // no such curve fits the steps
        }
    }

    private Optional<Coefficients> coefficients(Curve curve, double confidence) {
        RealVector p = curve.point();
        int degrees = clients.length - p.getDimension();
        double t = Quantiles.t((1 + confidence) / 2, degrees);
        RealMatrix jacobian = model(p, BORDERS[0]).getSecond();
        try {
            RealMatrix curvature = jacobian.transpose().multiply(jacobian);
            RealMatrix covariances =
                    new LUDecomposition(curvature, SINGULAR).getSolver().getInverse();
            double[] half = new double[p.getDimension()];
            for (int i = 0; i < half.length; i++) {
                half[i] = t * Math.sqrt(Math.max(0, curve.squares() / degrees * covariances.getEntry(i, i)));
            }
            return Optional.of(new Coefficients(
                    within(p.getEntry(0), half[0], Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
                            .exp(),
                    within(p.getEntry(1), half[1], 0, 1),
                    within(p.getEntry(2), half[2], 0, Double.POSITIVE_INFINITY)));
        } catch (MathIllegalArgumentException e) {
            return Optional.empty(); // the steps do not determine all coefficients
        }
    }

    private static Interval within(double value, double half, double least, double most) {
        return new Interval(value, Math.max(least, value - half), Math.min(most, value + half));
    }

    private static RealVector hold(RealVector p, double[] held) {
        for (int i = 0; i < held.length; i++) {
            if (!Double.isNaN(held[i])) {
                p.setEntry(i + 1, held[i]);
            }
        }
        return p;
    }

    /** The logarithm of the throughput and its derivatives by log lambda, sigma and kappa; 0 for fixed coefficients. */
    private Pair<RealVector, RealMatrix> model(RealVector p, double[] held) {
        RealVector values = new ArrayRealVector(clients.length);
        RealMatrix jacobian = new Array2DRowRealMatrix(clients.length, 3);
        for (int i = 0; i < clients.length; i++) {
            double n = clients[i];
            double denominator = 1 + p.getEntry(1) * (n - 1) + p.getEntry(2) * n * (n - 1);
            values.setEntry(i, p.getEntry(0) + Math.log(n) - Math.log(denominator));
            jacobian.setEntry(i, 0, 1);
            jacobian.setEntry(i, 1, Double.isNaN(held[0]) ? -(n - 1) / denominator : 0);
            jacobian.setEntry(i, 2, Double.isNaN(held[1]) ? -n * (n - 1) / denominator : 0);
        }
        return new Pair<>(values, jacobian);
    }
}
