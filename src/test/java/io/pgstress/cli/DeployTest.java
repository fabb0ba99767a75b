package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.pgstress.cli.output.Streams;
import io.pgstress.text.Tree;
import io.pgstress.text.Yaml;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The files in {@code deploy} that start tests on several hosts have only fields and options that exist, and fit each other. */
final class DeployTest {
    private static final String AGENTS = "kubernetes/agents.yaml";
    private static final String RUN = "kubernetes/run.yaml";
    private static final String COMPOSE = "compose/compose.yaml";
    private static final String POSTGRES = "postgres/compose.yaml";
    private static final String CITUS = "citus/compose.yaml";
    private static final String COMPOSE_FILE = "compose.yaml";
    private static final String STRESS = "exec stress ";
    private static final Pattern AGENT = Pattern.compile("stress\\.jar (agent [^\n]*)");
    private static final Pattern COMMAND = Pattern.compile("#.*?(?:\\./stress|--rm stress) ([^#\\n]*)");
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(\\S+) ");

    @ParameterizedTest
    @ValueSource(strings = {AGENTS, RUN, COMPOSE, POSTGRES, CITUS})
    void filesHaveOnlyKnownFields(String file) throws IOException {
        for (String document : documents(file)) {
            Yaml.read(document); // refuses aliases and duplicate names
            assertThat(problems(file, document)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AGENTS, RUN, COMPOSE, POSTGRES, CITUS})
    void unknownFieldsAndWrongTypesAreFound(String file) throws IOException {
        String last = documents(file).get(documents(file).size() - 1);
        assertThat(problems(file, last.replaceFirst("image:", "imag:"))).isNotEmpty();
        assertThat(problems(file, last.replaceFirst("\"--(listen|agents|op)\"", "7")))
                .isNotEmpty();
        assertThat(problems(file, last + "\nrestart: always\n")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {AGENTS, POSTGRES, CITUS})
    void commandsInCommentsParse(String file) throws IOException {
        List<String> commands = COMMAND.matcher(text(file))
                .results()
                .map(r -> r.group(1).strip())
                .toList();
        assertThat(commands).isNotEmpty().allSatisfy(line -> parse(List.of(line.split("\\s+"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"deploy/systemd/stress-agent.service", "docs/fleet.md"})
    void agentsOfUnitAndPageParse(String file) throws IOException {
        String text =
                Files.readString(Path.of(file)).replaceAll("\\\\\n\\s*", "").replaceAll(">agent.log.*", "");
        List<String> agents = AGENT.matcher(text).results().map(r -> r.group(1)).toList();
        assertThat(agents)
                .hasSize(1)
                .allSatisfy(line -> assertThat(
                                keyFiles(parse(List.of(line.strip().split("\\s+")))))
                        .hasSize(3));
    }

    @Test
    void unknownOptionsAreFound() {
        assertThatThrownBy(() -> parse(List.of("agent", "--listn", "a"))).hasMessageContaining("--listn");
        assertThatThrownBy(() -> parse(List.of("agent", "keys", "d", "--join", "a")))
                .hasMessageContaining("--join");
    }

    @Test
    void podsFitEachOther() throws IOException {
        Tree service = Yaml.read(documents(AGENTS).get(0));
        Tree agents = Yaml.read(documents(AGENTS).get(1));
        Tree run = Yaml.read(documents(RUN).get(0));
        String name = value(service, "metadata", "name");
        String port = value(service, "spec", "ports", "0", "port");
        for (Tree job : List.of(agents, run)) {
            ParseResult line = parse(values(pod(job, "containers", "0", "args")));
            assertThat(option(line, "--join")).isEqualTo("dns:" + name + ":" + port);
            assertThat(option(line, "--listen")).isEqualTo("$(POD_IP):" + port);
            assertThat(value(pod(job, "containers", "0"), "ports", "0", "containerPort"))
                    .isEqualTo(port);
            Tree keys = pod(job, "volumes", "0", "secret", "items");
            List<String> mounted = items(keys).stream()
                    .map(item -> "/keys/" + value(item, "path"))
                    .toList();
            assertThat(keyFiles(line)).containsExactlyInAnyOrderElementsOf(mounted);
            assertThat(items(keys))
                    .allSatisfy(item -> assertThat(text(AGENTS))
                            .contains("--from-file=keys/" + value(item, "key") + " ")
                            .doesNotContain("--from-file=keys/ca"));
        }
        String agentsOfRun = option(parse(values(pod(run, "containers", "0", "args"))), "--agents");
        assertThat(value(agents, "spec", "completions")).isEqualTo(agentsOfRun);
        assertThat(value(agents, "spec", "parallelism")).isEqualTo(agentsOfRun);
        assertThat(value(agents, "spec", "backoffLimitPerIndex")).isEqualTo("0");
        assertThat(value(run, "spec", "backoffLimit")).isEqualTo("0");
        String label = value(service, "spec", "selector", "app");
        assertThat(value(agents, "spec", "template", "metadata", "labels", "app"))
                .isEqualTo(label);
        assertThat(value(run, "spec", "template", "metadata", "labels", "app")).isNotEqualTo(label);
    }

    @Test
    void imageIsMadeOfFilesThatExist() throws IOException {
        List<String> copied = COPIED.matcher(text("image/Dockerfile"))
                .results()
                .map(r -> r.group(1))
                .toList();
        assertThat(copied)
                .contains("release/modules", "deploy/image/stress")
                .allSatisfy(path -> assertThat(Path.of(path)).exists());
        assertThat(Files.readAllLines(Path.of(".dockerignore")))
                .as("what the build reads")
                .doesNotContain("release", "deploy", "src", "datasets")
                .contains("!target/stress.jar");
    }

    /** The same script makes the cache and uses it, so collector and jar are the same. */
    @Test
    void optionsOfTheImageAreArguments() throws IOException {
        String launcher = text("image/stress");
        assertThat(launcher).containsOnlyOnce("\nexec ").endsWith("\"$@\"\n");
        assertThat(text("image/Dockerfile")).contains("$(stress train ", "ENTRYPOINT [\"/opt/stress/bin/stress\"]");
        for (String file : List.of("image/Dockerfile", "image/stress", AGENTS, RUN, COMPOSE, POSTGRES, CITUS)) {
            assertThat(text(file)).doesNotContainPattern("\\bSTRESS_");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {POSTGRES, CITUS})
    void containersOfOneHostFitEachOther(String file) throws IOException {
        Tree services = at(Yaml.read(text(file)), "services");
        String url = option(parse(values(at(services, "stress", "command"))), "--url");
        assertThat(text(file)).contains("#   url='" + url + "'");
        if (file.equals(CITUS)) {
            assertThat(url).contains("127.0.0.1:" + value(services, "coordinator", "environment", "PGPORT"));
            String nodes = String.join(" ", values(at(services, "setup", "command")));
            for (String node : List.of("coordinator", "worker1", "worker2")) {
                assertThat(nodes).contains("'127.0.0.1', " + value(services, node, "environment", "PGPORT"));
            }
        } else {
            assertThat(url).startsWith("jdbc:postgresql://postgres/");
            assertThat(value(services, "stress", "environment", "PGPASSWORD"))
                    .isEqualTo(value(services, "postgres", "environment", "POSTGRES_PASSWORD"));
        }
    }

    @Test
    void containersFitEachOther() throws IOException {
        Tree services = at(Yaml.read(documents(COMPOSE).get(0)), "services");
        String[] shell = value(services, "keys", "entrypoint", "2").split(STRESS, 2);
        assertThat(shell).hasSize(2);
        ParseResult keys = parse(List.of(shell[1].split(" ")));
        List<String> hosts = List.of(option(keys.subcommand(), "--hosts").split(","));
        String directory = keys.subcommand().matchedPositionalValue(0, "");
        List<String> agents = hosts.stream().filter(h -> h.startsWith("agent")).toList();
        for (String host : hosts) {
            ParseResult line = parse(values(at(services, host, "command")));
            assertThat(option(line, "--listen")).isEqualTo(host).isEqualTo(value(services, host, "hostname"));
            assertThat(option(line, "--join")).isEqualTo(String.join(",", agents));
            assertThat(keyFiles(line))
                    .containsExactlyInAnyOrder(
                            directory + "/" + host + ".p12", directory + "/truststore.p12", directory + "/password");
            assertThat(value(services, host, "environment", "PGPASSWORD"))
                    .isEqualTo(value(services, "postgres", "environment", "POSTGRES_PASSWORD"));
        }
        assertThat(option(parse(values(at(services, "command", "command"))), "--agents"))
                .isEqualTo(Integer.toString(agents.size()));
        assertThat(text("image/Dockerfile")).contains("/keys");
    }

    private static List<String> problems(String file, String document) throws IOException {
        Path path = Path.of(
                "src/test/resources/deploy", (file.endsWith(COMPOSE_FILE) ? "compose" : "kubernetes") + ".schema.json");
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(path), InputFormat.JSON);
        return schema.validate(document, InputFormat.YAML).stream()
                .map(Object::toString)
                .toList();
    }

    private static String text(String file) throws IOException {
        return Files.readString(Path.of("deploy", file));
    }

    private static List<String> documents(String file) throws IOException {
        return Arrays.asList(text(file).split("\n---\n"));
    }

    /** A command line, as picocli parses it; the deepest subcommand but {@code keys}. */
    private static ParseResult parse(List<String> args) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true);
        CommandLine line = Commands.of(new Streams(nowhere, nowhere), args);
        ParseResult parsed = line.parseArgs(args.toArray(String[]::new));
        return Objects.requireNonNullElse(parsed.subcommand(), parsed);
    }

    private static String option(ParseResult line, String name) {
        return String.join(
                ",", Optional.ofNullable(line.matchedOption(name)).orElseThrow().originalStringValues());
    }

    private static List<String> keyFiles(ParseResult line) {
        return Stream.of("--tls-keystore", "--tls-truststore", "--tls-password-file")
                .map(name -> option(line, name))
                .toList();
    }

    private static Tree pod(Tree job, String... path) {
        return at(at(job, "spec", "template", "spec"), path);
    }

    /** A node by names, and indexes of lists. */
    private static Tree at(Tree root, String... path) {
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

    private static List<Tree> items(Tree tree) {
        return ((Tree.Sequence) tree).items();
    }

    private static String value(Tree root, String... path) {
        return ((Tree.Scalar) at(root, path)).text();
    }

    private static List<String> values(Tree tree) {
        List<String> values = new ArrayList<>();
        items(tree).forEach(item -> values.add(((Tree.Scalar) item).text()));
        return values;
    }
}
