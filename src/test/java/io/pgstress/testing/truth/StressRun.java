package io.pgstress.testing.truth;

import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A run of this tool in its own process. */
final class StressRun {
    /** An operations file whose only operation is the marked statement. */
    static final String OPERATION = """
            truth:
              description: the statement that the test server answers
              steps:
                - name: answer
                  sql: %s
            """.formatted(TruthServer.STATEMENT);

    private static final int DONE_BUT_NOT_VALID = 1;

    private final Path directory;
    private final TruthServer server;
    private final List<String> more;

    /** @param more options of every run */
    StressRun(Path directory, TruthServer server, List<String> more) {
        this.directory = directory;
        this.server = server;
        this.more = more;
    }

    Report of(Case load) throws IOException, InterruptedException {
        server.answerAfter(load.times());
        Path json = directory.resolve("result.json");
        int exit = Command.run(directory.resolve("stress.log"), command(load, json));
        if (exit > DONE_BUT_NOT_VALID) {
            throw new IOException(
                    "stress ended with " + exit + ":\n" + Files.readString(directory.resolve("stress.log")));
        }
        RunResult result = Json.read(Files.readString(json), RunResult.class);
        OperationResult reported = result.operations().get("truth");
        Latency times = reported.latencyMicros().get(load.isOpen() ? "response" : "total");
        return new Report(
                served(load, reported),
                List.of(times.p50(), times.p90(), times.p99(), times.p999(), times.max()),
                reported.opsPerSecond(),
                (result.valid() ? "yes" : "no")
                        + result.warnings().stream()
                                .map(w -> w.code().name())
                                .map(code -> ", " + code)
                                .collect(Collectors.joining()));
    }

    private List<String> command(Case load, Path json) throws IOException {
        Path operations = Files.writeString(directory.resolve("truth.yaml"), OPERATION);
        List<String> command = new ArrayList<>(List.of(
                "./stress",
                "--url=jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres",
                "--operations=" + operations,
                "--op=truth",
                "--threads=" + load.clients(),
                "--warmup=" + load.warmup().toMillis() + "ms",
                "--duration=" + load.measure().toMillis() + "ms",
                "--json=" + json,
                "--quiet"));
        if (load.isOpen()) {
            command.add("--rate=" + load.rate());
        }
        command.addAll(more);
        return command;
    }

    /** The measured statements are the last ones that the server received. */
    private Truth served(Case load, OperationResult reported) {
        List<Served> served = server.served();
        OperationResult.StatementResult statement = reported.statements().get("answer");
        if (statement.callsInAll() != served.size()) {
            throw new IllegalStateException(
                    "stress counts " + statement.callsInAll() + " statements, the server " + served.size());
        }
        var operations = load.isOpen()
                ? Truth.open(load.clients(), Truth.uniform(load.rate(), served.size()), Truth.asServed(served))
                : Truth.closed(served);
        int first = served.size() - (int) statement.calls();
        return Truth.of(operations, first, load.measure().toNanos());
    }
}
