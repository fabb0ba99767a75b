package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        url = TestServer.freshDatabase(getClass().getSimpleName());
        TestServer.execute(
                url,
                "create table docs (_id int primary key, data jsonb not null default '{}')",
                "insert into docs select i, jsonb_build_object('_id', i, 'u', 'x' || i, 'n', i % 7)"
                        + " from generate_series(1, " + ROWS + ") i",
                "analyze docs");
    }

    RunResult run(Path file, String op, String... more) {
        List<String> all = new ArrayList<>(
                List.of("url", url, "table", "docs", "operations", file.toString(), "op", op, "threads", "4"));
        all.addAll(List.of("warmup", "0", "duration", "0.15"));
        all.addAll(List.of(more));
        return Runs.run(all.toArray(String[]::new));
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
