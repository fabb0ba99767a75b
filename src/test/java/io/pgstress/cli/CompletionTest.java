package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The completion script, in bash. */
final class CompletionTest {
    @TempDir
    private Path directory;

    /** What bash proposes for the last of these words. */
    private String proposed(String... words) throws IOException, InterruptedException {
        Ended script = Ended.stress("completion bash");
        assertThat(script.code()).as(script.err()).isZero();
        Path file = Files.writeString(directory.resolve("stress.bash"), script.out());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + file + "; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                                + (words.length - 1) + "; _complete_stress; echo \"${COMPREPLY[*]}\"")
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        bash.waitFor();
        return out;
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void bashProposesCommandsOptionsAndValues() throws Exception {
        assertThat(proposed("stress", "''")).contains("compare", "import", "tune");
        assertThat(proposed("stress", "--")).contains("--op", "--clients");
        assertThat(proposed("stress", "import", "--"))
                .contains("--jobs", "--verify")
                .doesNotContain("--clients");
        assertThat(proposed("stress", "--statement", "''")).contains("plain", "extended", "prepared");
    }

    @Test
    void otherShellsAreRefusedInOneLine() {
        Ended ended = Ended.stress("completion fish");

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err().lines()).hasSize(1);
    }
}
