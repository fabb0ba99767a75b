package io.pgstress.cli;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.pgstress.text.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The files in {@code deploy}, and the command lines in them. */
final class DeployFiles {
    static final String AGENTS = "kubernetes/agents.yaml";
    static final String RUN = "kubernetes/run.yaml";
    static final String COMPOSE = "compose/compose.yaml";
    static final String POSTGRES = "postgres/compose.yaml";
    static final String CITUS = "citus/compose.yaml";
    private static final String COMPOSE_FILE = "compose.yaml";

    private DeployFiles() {}

    static List<String> problems(String file, String document) throws IOException {
        Path path = Path.of(
                "src/test/resources/deploy", (file.endsWith(COMPOSE_FILE) ? "compose" : "kubernetes") + ".schema.json");
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(path), InputFormat.JSON);
        return schema.validate(document, InputFormat.YAML).stream()
                .map(Object::toString)
                .toList();
    }

    static String text(String file) throws IOException {
        return Files.readString(Path.of("deploy", file));
    }

    static List<String> documents(String file) throws IOException {
        return Arrays.asList(text(file).split("\n---\n"));
    }

    /** A command line, as picocli parses it; the deepest subcommand but {@code keys}. */
    static ParseResult parse(List<String> args) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true);
        CommandLine line = Commands.of(new Streams(nowhere, nowhere), args);
        ParseResult parsed = line.parseArgs(args.toArray(String[]::new));
        return Objects.requireNonNullElse(parsed.subcommand(), parsed);
    }

    static String option(ParseResult line, String name) {
        return String.join(
                ",", Optional.ofNullable(line.matchedOption(name)).orElseThrow().originalStringValues());
    }

    static List<String> keyFiles(ParseResult line) {
        return Stream.of("--tls-keystore", "--tls-truststore", "--tls-password-file")
                .map(name -> option(line, name))
                .toList();
    }

    /** A node by names, and indexes of lists. */
    static Tree at(Tree root, String... path) {
        Tree tree = root;
        for (String step : path) {
            if (tree instanceof Tree.Sequence list) {
                tree = list.items().get(Integer.parseInt(step));
            } else if (tree instanceof Tree.Mapping mapping && mapping.entries().containsKey(step)) {
                tree = Objects.requireNonNull(mapping.entries().get(step)).value();
            } else {
                throw new AssertionError("no " + step + " of " + String.join(".", path));
            }
        }
        return tree;
    }

    static List<Tree> items(Tree tree) {
        return ((Tree.Sequence) tree).items();
    }

    static String value(Tree root, String... path) {
        return ((Tree.Scalar) at(root, path)).text();
    }

    static List<String> values(Tree tree) {
        List<String> values = new ArrayList<>();
        items(tree).forEach(item -> values.add(((Tree.Scalar) item).text()));
        return values;
    }
}
