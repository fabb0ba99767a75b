package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.operation.workload.Operations;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The completion scripts, in real shells. */
@DisabledOnOs(OS.WINDOWS)
final class CompletionTest {
    /** Splits each argument into words as bash does, and prints what is proposed for the last one. */
    private static final String IN_BASH = """
        source stress.bash
        for line; do
          COMP_LINE=$line COMP_POINT=${#line} COMP_WORDS=() word=
          for ((at = 0; at < ${#line}; at++)); do
            case ${line:at:1} in
              ' ') [[ -z $word ]] || COMP_WORDS+=("$word"); word= ;;
              [=:]) [[ -z $word ]] || COMP_WORDS+=("$word"); COMP_WORDS+=("${line:at:1}"); word= ;;
              *) word+=${line:at:1} ;;
            esac
          done
          COMP_WORDS+=("$word")
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _stress
          echo "${COMPREPLY[*]}"
        done
        """;

    private static final String IN_FISH = """
        source stress.fish
        for line in $argv
            complete -C $line | string replace -r '\\t.*' '' | env LC_ALL=C sort | string join ' '
        end
        """;

    /** Types each argument and the tabulator key into an interactive shell, and prints the line that it then shows. */
    private static final String IN_ZSH = """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'PS1= ; autoload -U compinit; compinit -u -D; source ./stress.zsh
          keep() { print -r -- "$BUFFER" >>lines; BUFFER= ; print KEPT }; zle -N keep; bindkey "^X" keep
          bindkey "^I" complete-word; setopt nobeep noautolist; print READY'
        zpty -r shell output '*READY*READY*'
        for line; do
          zpty -n -w shell "$line"$'\\t\\C-x'
          zpty -r shell output '*KEPT*'
        done
        cat lines
        """;

    @TempDir
    private Path directory;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectory(directory.resolve("config"));
        Files.createFile(directory.resolve("config/02-pools.yaml"));
        Files.createFile(directory.resolve("mine.yaml"));
        Files.createFile(directory.resolve("result.json"));
        Path program = Files.writeString(directory.resolve("stress"), "#!/bin/sh\necho \"$@\" >asked; echo orders\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void bashCompletesCommandsOptionsAndValues() throws Exception {
        assertThat(propose(
                        "bash",
                        IN_BASH,
                        "stress com",
                        "stress --no-res",
                        "stress agent ",
                        "stress agent keys --ho",
                        "stress -M ",
                        "stress --pool=h",
                        "stress import --indexes ",
                        "stress --indexes ",
                        "stress compare --statem"))
                .containsExactly(
                        "compare completion",
                        "--no-reset",
                        "keys",
                        "--hosts",
                        "plain extended prepared",
                        "hikari",
                        "none report create",
                        "none primary all",
                        "--statement --statement-timeout");
    }

    @Test
    void bashCompletesMixesVariantsAndFiles() throws Exception {
        String all = String.join(" ", Operations.ALL.stream().map(o -> o.name()).toList());
        assertThat(propose(
                        "bash",
                        IN_BASH,
                        "stress --op ",
                        "stress --op find_first:3,find_d",
                        "stress --op=tpcb,find_f",
                        "stress compare --vary poo",
                        "stress compare --vary statement=plain,pr",
                        "stress compare --vary=transaction=",
                        "stress compare ",
                        "stress compare config/",
                        "stress report la",
                        "stress report --json re",
                        "stress generate con"))
                .containsExactly(
                        all,
                        "3,find_delete",
                        "tpcb,find_first",
                        "pool= pool-size=",
                        "plain,prepared",
                        "true false",
                        "mine.yaml config/02-pools.yaml",
                        "config/02-pools.yaml",
                        "last",
                        "result.json",
                        "config");
    }

    @Test
    void tablesAreThoseOfTheServerOnTheLine() throws Exception {
        String url = "jdbc:postgresql://db1:5433/shop";
        assertThat(propose("bash", IN_BASH, "./stress -T 5 --url " + url + " -U me --host=db2 --table or"))
                .containsExactly("orders");
        assertThat(directory.resolve("asked"))
                .content()
                .isEqualTo("completion tables --url " + url + " -U me --host=db2\n");
        assertThat(propose("bash", IN_BASH, "./stress --table "))
                .as("no server is named")
                .containsExactly("");
    }

    /** Whoever owns a table names it. */
    @Test
    void namesOfTablesAreInsertedSoThatTheShellDoesNotRunThem() throws Exception {
        Files.writeString(
                directory.resolve("stress"), "#!/bin/sh\nprintf '%s\\n' 'or$(touch run)' 'or `touch run`' plain\n");
        String line = "./stress -d x --table ";
        assertThat(propose("bash", IN_BASH, line + "or", line + "'or", line + "'p"))
                .containsExactly("or\\$\\(touch\\ run\\) or\\ \\`touch\\ run\\`", "", "plain");
        assertThat(directory.resolve("run")).doesNotExist();
    }

    @Test
    void fishRunsNothingOfTheLine() throws Exception {
        Path place = Files.createDirectory(directory.resolve("a (touch run)"));
        Files.copy(directory.resolve("stress"), place.resolve("stress"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(propose("fish", IN_FISH, "'./a (touch run)/stress' -d '(touch run)' --table or"))
                .containsExactly("orders");
        assertThat(directory.resolve("run")).doesNotExist();
        assertThat(directory.resolve("asked")).content().isEqualTo("completion tables -d (touch run)\n");
    }

    @Test
    void fishCompletes() throws Exception {
        assertThat(propose(
                        "fish",
                        IN_FISH,
                        "stress com",
                        "stress agent ",
                        "stress agent keys --ho",
                        "stress --op find_first:3,find_d",
                        "stress --op=tpcb,find_f",
                        "stress compare --vary poo",
                        "stress compare --vary statement=plain,pr",
                        "stress -M ",
                        "stress import --indexes ",
                        "stress compare ",
                        "stress report --json re",
                        "./stress --url jdbc:postgresql://db1/shop --table or"))
                .containsExactly(
                        "compare completion",
                        "keys",
                        "--hosts",
                        "find_first:3,find_delete",
                        "--op=tpcb,find_first",
                        "pool-size= pool=",
                        "statement=plain,prepared",
                        "extended plain prepared",
                        "create none report",
                        "config/ config/02-pools.yaml mine.yaml",
                        "result.json",
                        "orders");
    }

    @Test
    void zshCompletes() throws Exception {
        assertThat(propose(
                        "zsh",
                        IN_ZSH,
                        "stress comple",
                        "stress agent k",
                        "stress agent keys --ho",
                        "stress --op find_first:3,find_d",
                        "stress compare --vary pool-",
                        "stress compare --vary=statement=plain,pr",
                        "stress -M ext",
                        "stress import --indexes rep",
                        "stress compare config/0",
                        "stress report --json re",
                        "./stress --url jdbc:postgresql://db1/shop --table or"))
                .containsExactly(
                        "stress completion ",
                        "stress agent keys ",
                        "stress agent keys --hosts=",
                        "stress --op find_first:3,find_delete",
                        "stress compare --vary pool-size=",
                        "stress compare --vary=statement=plain,prepared",
                        "stress -M extended ",
                        "stress import --indexes report ",
                        "stress compare config/02-pools.yaml ",
                        "stress report --json result.json ",
                        "./stress --url jdbc:postgresql://db1/shop --table orders ");
    }

    @Test
    void tablesHaveIdsAndTheirSchema() {
        String url = TestServer.freshDatabase("completion");
        TestServer.execute(
                url,
                "create schema other",
                "create table docs (_id int primary key, data jsonb)",
                "create table other.\"a.b\" (_id int primary key, data jsonb)",
                "create table unrelated (id int)");
        assertThat(run("completion", "tables", "--url", url)).isEqualTo("docs\nother.\"a.b\"\n");
    }

    @Test
    void unreachableServerHasNoTables() {
        assertThat(run("completion", "tables", "--url", "jdbc:postgresql://127.0.0.1:1/x"))
                .isEmpty();
        assertThat(run("completion", "tables")).isEmpty();
    }

    private List<String> propose(String shell, String script, String... lines) throws Exception {
        Files.writeString(directory.resolve("stress." + shell), run("completion", shell));
        List<String> command = new ArrayList<>(List.of(
                shell, Files.writeString(directory.resolve("test"), script).toString()));
        if (shell.equals("zsh")) {
            command.add(1, "-f");
        }
        command.addAll(List.of(lines));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("XDG"));
        builder.environment().put("HOME", directory.toString());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            assumeTrue(shell.equals("bash"), "completion in " + shell + ": the shell is not installed");
            throw e;
        }
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return List.of(printed.replaceFirst("\n$", "").split("\n", -1));
    }

    private static String run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(new Streams(stream, err), arguments))
                .as("%s", Stream.of(arguments).toList())
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }
}
