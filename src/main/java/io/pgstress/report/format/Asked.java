package io.pgstress.report.format;

import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was asked for, read from a result's scenario, whose values are texts, numbers or lists of them. */
public final class Asked {
    private final RunResult result;

    public Asked(RunResult result) {
        this.result = result;
    }

    /** The option's value, several joined by commas; an empty string where there is none. */
    public String text(String option) {
        return text(result, option);
    }

    /** {@link #text(String)} of any finding. */
    public static String text(Result finding, String option) {
        Object value = finding.run().scenario().get(option);
        if (value instanceof List<?> list) {
            return list.stream().map(Objects::toString).collect(Collectors.joining(","));
        }
        return value == null ? "" : value.toString();
    }

    public boolean flag(String option) {
        return text(option).equals("true");
    }

    /** Whether operations started at set times; else each client sent its next one when the last had ended. */
    public boolean isOpen() {
        return !text("rate").isEmpty();
    }

    /** Whether rows were fetched some at a time; else all of them had arrived when the driver returned from the statement. */
    public boolean fetchesInParts() {
        return !text("fetch-size").isEmpty() && !text("fetch-size").equals("0");
    }

    /** The times that are the headline: response in an open load, total in a closed one. */
    public String headline() {
        return isOpen() ? "response" : "total";
    }

    /** The headline's times of an operation; null where it has none. */
    @Nullable
    public Latency headline(OperationResult operation) {
        return operation.latencyMicros().get(headline());
    }

    /** How many clients there were. */
    public int clients() {
        int clients = result.nodes().stream().mapToInt(NodeResult::clients).sum();
        try {
            return clients > 0 ? clients : Integer.parseInt(text("threads"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The mix as one writes it, or the operations' names. */
    public String mix() {
        String op = text("op");
        return op.isEmpty() ? String.join(",", result.operations().keySet()) : op;
    }

    /** The measured time in seconds. */
    public double measuredSeconds() {
        return result.run().phases().stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(RunInfo.PhaseLength::seconds)
                .sum();
    }
}
