package io.pgstress.cli;

import static io.pgstress.cli.DeployFiles.at;
import static io.pgstress.cli.DeployFiles.items;
import static io.pgstress.cli.DeployFiles.option;
import static io.pgstress.cli.DeployFiles.value;
import static io.pgstress.cli.DeployFiles.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.text.Tree;
import io.pgstress.text.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParseResult;

/** The jobs in deploy/ci are YAML, and a shell makes of them commands that exist. It runs them with stand-ins for stress and git. */
@DisabledOnOs(OS.WINDOWS)
final class CiJobsTest {
    private static final String STRESS = """
            #!/bin/sh
            { printf '%s\\n' "$@"; echo ---; } >> "$LOG"
            echo "## A result"
            """;

    private static final String GIT = """
            #!/bin/sh
            mkdir "$5" && cp stress "$5"
            """;

    @TempDir
    private Path directory;

    @Test
    void githubJobRunsAndKeepsItsReports() throws Exception {
        Tree job = at(Yaml.read(job("github")), "jobs", "load-test");
        assertThat(value(job, "services", "postgres", "image")).startsWith("postgres:");
        List<String> scripts = items(at(job, "steps")).stream()
                .filter(step -> has(step, "run"))
                .map(step -> value(step, "run"))
                .toList();

        List<ParseResult> commands = run(scripts, value(job, "env", "URL"));

        assertThat(commands).extracting(c -> c.commandSpec().name()).containsExactly("import", "stress", "compare");
        List<String> files = List.of(
                option(commands.get(1), "--json"),
                option(commands.get(1), "--junit"),
                option(commands.get(2), "--html"),
                option(commands.get(2), "--junit"));
        assertThat(files).allMatch(file -> file.startsWith("reports/")).doesNotHaveDuplicates();
        assertThat(files.stream().filter(f -> f.endsWith(".xml"))).allMatch(f -> f.startsWith("reports/junit-"));
        assertThat(Files.readAllLines(directory.resolve("summary"))).containsExactly("## A result", "## A result");
        assertThat(option(commands.get(1), "--fail-if")).isEqualTo("p99>50ms,errors>0.1%");
        Tree last = items(at(job, "steps")).get(items(at(job, "steps")).size() - 1);
        assertThat(value(last, "if")).isEqualTo("always()");
        assertThat(value(last, "with", "path")).isEqualTo("reports");
        Tree junit = items(at(job, "steps")).get(items(at(job, "steps")).size() - 2);
        assertThat(value(junit, "with", "report_paths")).isEqualTo("reports/junit-*.xml");
        assertThat(value(junit, "with", "annotate_only")).contains("head.repo.fork");
    }

    /** What is stored in the repository's settings is not given to pull requests of forks. */
    @Test
    void githubJobNeedsNothingThatPullRequestsOfForksLack() throws IOException {
        String text = job("github");

        assertThat(text).doesNotContain("secrets.", "vars.");
        List<String> actions = items(at(Yaml.read(text), "jobs", "load-test", "steps")).stream()
                .filter(step -> has(step, "uses"))
                .map(step -> value(step, "uses"))
                .toList();
        assertThat(actions)
                .as("the user's own repository, and pgstress beside it")
                .startsWith("actions/checkout@v6", "YOU/pgstress@main");
        assertThat(items(at(Yaml.read(text), "jobs", "load-test", "steps")).get(0))
                .matches(step -> !has(step, "with"));
    }

    @Test
    void actionPutsTheLauncherOnThePath() throws Exception {
        executable("stress", "#!/bin/sh\nif [ \"$1\" = version ]; then echo built; fi\n");
        Tree action = Yaml.read(Files.readString(Path.of("action.yml")));
        assertThat(value(action, "runs", "using")).isEqualTo("composite");
        Files.writeString(directory.resolve("pom.xml"), "<project/>");
        List<Tree> steps = items(at(action, "runs", "steps"));

        List<String> said = new ArrayList<>();
        for (Tree step : steps.stream().filter(each -> has(each, "run")).toList()) {
            ProcessBuilder shell = new ProcessBuilder(value(step, "shell"), "-e", "-c", value(step, "run"));
            for (String name : List.of("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT")) {
                shell.environment().put(name, directory.resolve(name).toString());
            }
            shell.environment().put("GITHUB_ACTION_PATH", directory.toString());
            Process process = shell.start();
            said.addAll(process.inputReader(StandardCharsets.UTF_8).lines().toList());
            assertThat(process.waitFor()).isZero();
        }

        assertThat(said).containsExactly("built");
        assertThat(Files.readString(directory.resolve("GITHUB_OUTPUT"))).matches("key=pgstress-\\d+-\\d+\n");
        assertThat(steps.get(2))
                .as("the libraries are there before the build")
                .matches(step -> value(step, "uses").startsWith("actions/cache@")
                        && value(step, "with", "key").contains("steps.libraries.outputs.key"));
        assertThat(Files.readString(directory.resolve("GITHUB_PATH"))).isEqualTo(directory + "\n");
        assertThat(Files.readString(directory.resolve("GITHUB_ENV"))).isEqualTo("PGSTRESS=" + directory + "\n");
    }

    @Test
    void gitlabJobRunsAndKeepsItsReports() throws Exception {
        Tree job = at(Yaml.read(job("gitlab")), "load-test");
        assertThat(value(job, "variables", "URL"))
                .startsWith("jdbc:postgresql://" + value(job, "services", "0", "alias") + "/");

        List<ParseResult> commands =
                run(List.of(String.join("\n", values(at(job, "script")))), value(job, "variables", "URL"));

        assertThat(commands).extracting(c -> c.commandSpec().name()).containsExactly("import", "compare");
        assertThat(option(commands.get(1), "--junit")).isEqualTo("reports/junit-compare.xml");
        assertThat(directory.resolve("reports")).isDirectory();
        assertThat(value(job, "artifacts", "when")).isEqualTo("always");
        assertThat(values(at(job, "artifacts", "paths"))).containsExactly("reports");
        assertThat(value(job, "artifacts", "reports", "junit")).isEqualTo("reports/junit-*.xml");
    }

    private static boolean has(Tree tree, String name) {
        return tree instanceof Tree.Mapping mapping && mapping.entries().containsKey(name);
    }

    private static String job(String name) throws IOException {
        return Files.readString(Path.of("deploy/ci/" + name + ".yaml"));
    }

    /** The command lines of stress that a shell makes of these scripts, one process for each. */
    private List<ParseResult> run(List<String> scripts, String url) throws IOException, InterruptedException {
        executable("stress", STRESS);
        executable("bin/git", GIT);
        Path log = directory.resolve("log");
        for (String script : scripts) {
            ProcessBuilder shell = new ProcessBuilder("sh", "-eu", "-c", script).directory(directory.toFile());
            shell.environment().put("LOG", log.toString());
            shell.environment().put("URL", url);
            shell.environment().put("PGSTRESS_REPOSITORY", "ssh://example.com/pgstress");
            shell.environment()
                    .put("GITHUB_STEP_SUMMARY", directory.resolve("summary").toString());
            shell.environment().put("PGSTRESS", directory.toString());
            String added = directory.resolve("bin") + ":" + directory;
            shell.environment().merge("PATH", added, (path, bin) -> bin + ":" + path);
            Process process = shell.redirectErrorStream(true)
                    .redirectOutput(directory.resolve("out").toFile())
                    .start();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(directory.resolve("out")))
                    .isZero();
        }
        List<ParseResult> commands = new ArrayList<>();
        for (String command : Arrays.asList(Files.readString(log).split("---\n"))) {
            List<String> args = command.lines().toList();
            assertThat(args).contains("--url", url);
            commands.add(DeployFiles.parse(args));
        }
        return commands;
    }

    private void executable(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
