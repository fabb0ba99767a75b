package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database and a file for tests of custom operations. */
abstract class OwnOperations {
    static final int ROWS = 500;

    @TempDir
    Path directory;

    String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.emptyDatabase(getClass().getSimpleName());
        TestServer.execute(
                url,
                "create table docs (_id int primary key, data jsonb not null default '{}')",
                "insert into docs select i, jsonb_build_object('_id', i, 'u', 'x' || i, 'n', i % 7)"
                        + " from generate_series(1, " + ROWS + ") i",
                "analyze docs");
    }

    RunResult run(Path file, String op, String... more) {
        return Runs.run("--think 2ms -T 0.15" + options(file, op), more);
    }

    /** Runs until this many operations have succeeded, however long this machine takes for them. */
    RunResult runUntil(long ok, Path file, String op) {
        return Runs.runUntil(ok, "-P 0.1 -T 100" + options(file, op));
    }

    private String options(Path file, String op) {
        return " -t docs -c 4 --warmup 0 --url " + url + " --operations " + file + " --op " + op;
    }

    Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("my.yaml"), yaml);
    }

    String refusal(String yaml) throws IOException {
        Path file = file(yaml);
        return String.valueOf(catchThrowableOfType(InvalidPlanException.class, () -> run(file, "mine"))
                        .getMessage())
                .replace(directory + "/", "");
    }
}
