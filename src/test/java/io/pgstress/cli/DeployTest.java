package io.pgstress.cli;

import static io.pgstress.cli.DeployFiles.AGENTS;
import static io.pgstress.cli.DeployFiles.CITUS;
import static io.pgstress.cli.DeployFiles.COMPOSE;
import static io.pgstress.cli.DeployFiles.POSTGRES;
import static io.pgstress.cli.DeployFiles.RUN;
import static io.pgstress.cli.DeployFiles.at;
import static io.pgstress.cli.DeployFiles.documents;
import static io.pgstress.cli.DeployFiles.items;
import static io.pgstress.cli.DeployFiles.keyFiles;
import static io.pgstress.cli.DeployFiles.option;
import static io.pgstress.cli.DeployFiles.parse;
import static io.pgstress.cli.DeployFiles.problems;
import static io.pgstress.cli.DeployFiles.text;
import static io.pgstress.cli.DeployFiles.value;
import static io.pgstress.cli.DeployFiles.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The files in {@code deploy} that start tests on several hosts have only fields and options that exist, and fit each other. */
final class DeployTest {
    private static final Pattern AGENT = Pattern.compile("stress\\.jar (agent [^\n]*)");
    private static final Pattern COMMAND = Pattern.compile("#.*?(?:\\./stress|--rm stress) ([^#\\n]*)");

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

    private static Tree pod(Tree job, String... path) {
        return at(at(job, "spec", "template", "spec"), path);
    }
}
