package io.pgstress.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A test that hangs ends at its limit, and its output shows where it hung. */
@EveryJdk
final class ThreadDumpsTest {
    /** Not found by name, only run by the test below. */
    static final class Hangs {
        @Test
        @Timeout(value = 50, unit = TimeUnit.MILLISECONDS)
        void forEver() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    @Test
    void testThatHangsFailsAndShowsItsThreads() {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        PrintStream before = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(Hangs.class))
                                    .build(),
                            summary);
        } finally {
            System.setOut(before);
        }

        assertThat(summary.getSummary().getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException()).isInstanceOf(TimeoutException.class));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("Limit of ", "ThreadDumpsTest$Hangs.forEver(");
    }
}
