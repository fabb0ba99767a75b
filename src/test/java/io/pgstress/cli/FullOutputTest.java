package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Commands whose results cannot be written. */
@Slow
final class FullOutputTest {
    private static Process start(Redirect out) throws IOException {
        return new ProcessBuilder(Child.command("64m", "--help-all"))
                .redirectOutput(out)
                .start();
    }

    @Test
    void fullDiskIsAnError() throws Exception {
        Process command = start(Redirect.to(new File("/dev/full")));
        String said = new String(command.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).isEqualTo("stress: stdout: not all of it could be written\n");
        assertThat(command.waitFor()).isEqualTo(ExitCode.USAGE);
    }

    /** As {@code head} does. */
    @Test
    void readerThatHasReadEnoughIsNone() throws Exception {
        Process command = start(Redirect.PIPE);
        command.getInputStream().close();
        String said = new String(command.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).isEmpty();
        assertThat(command.waitFor()).isZero();
    }
}
