package io.pgstress.interrupt;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.interrupt.Interruption.Notices;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The third signal ends a command that undoes nothing any more. */
final class ForcedEndTest {
    /** Before a command's first part, something that no signal reaches may hold it up, such as opening a pipe. */
    @Test
    void firstSignalEndsACommandThatDoesNotStart() throws InterruptedException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CountDownLatch halted = new CountDownLatch(1);
        Interruption interruption = new Interruption(
                new Notices(new PrintStream(err, true, StandardCharsets.UTF_8), false), code -> halted.countDown());
        interruption.signal("TERM", 15);
        assertThat(halted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("stress: interrupted; nothing was done (exit code 143)");
    }

    @Test
    void saysWhatIsLeftBehind() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        AtomicInteger code = new AtomicInteger();
        Interruption interruption =
                new Interruption(new Notices(new PrintStream(err, true, StandardCharsets.UTF_8), false), code::set);
        interruption.remains(() -> List.of("this run leaves altered settings in force"));
        interruption.remains(List::of); // has put its settings back
        interruption.enter(CommandPart.uninterruptible("the run to end", "what was measured is lost"));

        for (int i = 0; i < 3; i++) {
            interruption.signal("INT", 2);
        }

        assertThat(err.toString(StandardCharsets.UTF_8).lines().skip(2))
                .containsExactly(
                        "stress: ended at once; what was measured is lost (exit code 130)",
                        "stress: this run leaves altered settings in force");
        assertThat(code).hasValue(130);
    }
}
