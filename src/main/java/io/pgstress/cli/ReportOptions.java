package io.pgstress.cli;

import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Where results go. */
final class ReportOptions {
    private final Streams streams;
    private @Nullable String json;

    ReportOptions(Streams streams) {
        this.streams = streams;
    }

    void addTo(CommandSpec command) {
        command.addOption(OptionSpec.builder("--json")
                .type(String.class)
                .paramLabel("FILE")
                .description("x")
                .build());
        command.addOption(OptionSpec.builder("--verbose")
                .type(boolean.class)
                .arity("0")
                .description("x")
                .build());
    }

    void read(ParseResult parsed) {
        json = parsed.matchedOptionValue("--json", (String) null);
    }

    RunListener live(RunSpec spec) {
        return new RunListener() {
            @Override
            public void interval(String phase, IntervalResult r) {
                streams.err()
                        .printf(
                                Locale.ROOT,
                                "%s %.1f %.1f %.1f%n",
                                phase,
                                r.atSeconds(),
                                r.opsPerSecond(),
                                r.totalMicros() == null ? 0 : r.totalMicros().p99());
            }
        };
    }

    void write(RunResult result) throws IOException {
        if ("-".equals(json)) {
            streams.out().print(Json.write(result));
        } else if (json != null) {
            Files.writeString(Path.of(json), Json.write(result));
        } else {
            result.operations()
                    .forEach((n, o) -> streams.out()
                            .println(n + " " + o.opsPerSecond() + " "
                                    + o.latencyMicros().get("total") + o.errors()));
            streams.out().println(result.warnings());
        }
    }
}
