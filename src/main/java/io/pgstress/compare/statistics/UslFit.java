package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * The Universal Scalability Law, X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)) (Gunther, Guerrilla Capacity
 * Planning, 2007), through measured throughputs by nonlinear least squares of the logarithms, so that a step's error counts
 * by its share. Coefficients are not below 0; their intervals come of the curvature at the optimum (Student's t).
 */
public final class UslFit {
    private static final int LEAST_STEPS = 4;
    private static final int MOST_TRIES = 10_000;

    private final double[] clients;
    private final double[] logs;

    private UslFit(double[] clients, double[] throughput) {
        this.clients = clients.clone();
        this.logs = Arrays.stream(throughput).map(Math::log).toArray();
    }

    /** The coefficients with their intervals. */
    public record Coefficients(Interval lambda, Interval sigma, Interval kappa) {}

    /**
     * The fit; empty where there are fewer than {@value #LEAST_STEPS} numbers of clients or no curve goes through them.
     *
     * @param clients, throughput of each step, above 0
     */
    public static Optional<Coefficients> of(double[] clients, double[] throughput, double confidence) {
        if (Arrays.stream(clients).distinct().count() < LEAST_STEPS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new UslFit(clients, throughput).fit(throughput, confidence));
        } catch (MathIllegalArgumentException | MathIllegalStateException e) {
            return Optional.empty(); // the steps bear no such curve
        }
    }

    private Coefficients fit(double[] throughput, double confidence) {
        double alone = 0;
        for (int i = 0; i < clients.length; i++) {
            alone = Math.max(alone, throughput[i] / clients[i]);
        }
        Optimum optimum = new LevenbergMarquardtOptimizer()
                .optimize(new LeastSquaresBuilder()
                        .start(new double[] {Math.log(alone), 0.05, 0.001})
                        .model((MultivariateJacobianFunction) this::model)
                        .parameterValidator(UslFit::valid)
                        .target(logs)
                        .maxEvaluations(MOST_TRIES)
                        .maxIterations(MOST_TRIES)
                        .build());
        double[] p = optimum.getPoint().toArray();
        int degrees = clients.length - p.length;
        double variance = optimum.getResiduals().dotProduct(optimum.getResiduals()) / degrees;
        double t = Quantiles.t((1 + confidence) / 2, degrees);
        double[] half = new double[p.length];
        RealMatrix covariances = optimum.getCovariances(1e-14);
        for (int i = 0; i < half.length; i++) {
            half[i] = t * Math.sqrt(Math.max(0, variance * covariances.getEntry(i, i)));
        }
        return new Coefficients(
                new Interval(p[0], p[0] - half[0], p[0] + half[0]).exp(),
                new Interval(p[1], Math.max(0, p[1] - half[1]), p[1] + half[1]),
                new Interval(p[2], Math.max(0, p[2] - half[2]), p[2] + half[2]));
    }

    private static RealVector valid(RealVector p) {
        p.setEntry(1, Math.max(0, p.getEntry(1)));
        p.setEntry(2, Math.max(0, p.getEntry(2)));
        return p;
    }

    /** The logarithm of the throughput and its derivatives by log lambda, sigma and kappa. */
    private Pair<RealVector, RealMatrix> model(RealVector p) {
        RealVector values = new ArrayRealVector(clients.length);
        RealMatrix jacobian = new Array2DRowRealMatrix(clients.length, 3);
        for (int i = 0; i < clients.length; i++) {
            double n = clients[i];
            double denominator = 1 + p.getEntry(1) * (n - 1) + p.getEntry(2) * n * (n - 1);
            values.setEntry(i, p.getEntry(0) + Math.log(n) - Math.log(denominator));
            jacobian.setEntry(i, 0, 1);
            jacobian.setEntry(i, 1, -(n - 1) / denominator);
            jacobian.setEntry(i, 2, -n * (n - 1) / denominator);
        }
        return new Pair<>(values, jacobian);
    }
}
