package io.pgstress.cli;

import io.pgstress.operation.load.TableLoad;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Rows of a file of {@code --input} that the server refused: their errors begin with the file's name. */
final class RefusedInput {
    private RefusedInput() {}

    /** The errors, a line each; empty where all rows were taken. */
    static List<String> of(RunResult result, RunSpec spec) {
        String file = spec.get(TableLoad.INPUT).map(path -> path + ":").orElse("");
        return result.operations().values().stream()
                .flatMap(o -> o.errors().entrySet().stream())
                .filter(e -> file.length() > 1 && e.getValue().sample().startsWith(file))
                .map(e -> line(e.getKey(), e.getValue()))
                .toList();
    }

    private static String line(String state, OperationResult.ErrorCount error) {
        String more = error.count() == 1 ? "" : String.format(Locale.ROOT, ", in %,d COPYs", error.count());
        return error.sample() + " (SQLSTATE " + state + more + ")";
    }

    /** Reports them. */
    static void tell(List<String> refused, PrintStream err) {
        err.println("stress: not everything was loaded: " + String.join("; ", refused));
    }
}
