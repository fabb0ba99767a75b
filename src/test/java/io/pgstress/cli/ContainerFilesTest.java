package io.pgstress.cli;

import static io.pgstress.cli.DeployFiles.AGENTS;
import static io.pgstress.cli.DeployFiles.CITUS;
import static io.pgstress.cli.DeployFiles.COMPOSE;
import static io.pgstress.cli.DeployFiles.POSTGRES;
import static io.pgstress.cli.DeployFiles.RUN;
import static io.pgstress.cli.DeployFiles.at;
import static io.pgstress.cli.DeployFiles.documents;
import static io.pgstress.cli.DeployFiles.keyFiles;
import static io.pgstress.cli.DeployFiles.option;
import static io.pgstress.cli.DeployFiles.parse;
import static io.pgstress.cli.DeployFiles.text;
import static io.pgstress.cli.DeployFiles.value;
import static io.pgstress.cli.DeployFiles.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.text.Tree;
import io.pgstress.text.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

/** The image and the compose files in {@code deploy} have only files and options that exist, and fit each other. */
final class ContainerFilesTest {
    private static final String STRESS = "exec stress ";
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(\\S+) ");
    private static final Pattern RUNS = Pattern.compile("(?m)^    docker run .*? pgstress (.*)$");

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

    @Test
    void commandsOfThePageParse() throws IOException {
        String page = Files.readString(Path.of("docs/installing.md")).replaceAll("\\\\\n\\s*", "");
        List<String> commands =
                RUNS.matcher(page).results().map(r -> r.group(1).strip()).toList();
        assertThat(commands).hasSizeGreaterThan(3).allSatisfy(line -> parse(List.of(line.split("\\s+"))));
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
}
