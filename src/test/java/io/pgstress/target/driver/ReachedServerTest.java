package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.driver.ReachedServer.SessionCounts;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which servers the sessions of a URL reached, one after another or side by side. */
final class ReachedServerTest {
    private static final ReachedServer A = new ReachedServer("10.0.0.1", 5432, "2026-01-01", "1", false);
    private static final ReachedServer RESTARTED = new ReachedServer("10.0.0.1", 5432, "2026-01-02", "1", false);
    private static final ReachedServer B = new ReachedServer("10.0.0.2", 5433, "2026-01-01", "1", false);

    private final AtomicLong clock = new AtomicLong();
    private final SessionCounts counts = new SessionCounts(clock::incrementAndGet);

    private void open(ReachedServer... servers) {
        for (ReachedServer server : servers) {
            counts.count(server);
        }
    }

    @Test
    void serverThatGetsAllLaterSessionsTookOver() {
        open(A, A, B, B, B);

        assertThat(counts.predecessor(B)).contains(A);
        assertThat(counts.predecessor(A)).isEmpty();
        assertThat(counts.sessions().get(B).firstAt()).isEqualTo(3);
        assertThat(counts.sessions().get(B).sessions()).isEqualTo(3);
    }

    @Test
    void serversSideBySideDoNotTakeOver() {
        open(A, B, A, B);

        assertThat(counts.predecessor(B)).isEmpty();
    }

    @Test
    void restartedServerIsNoOther() {
        open(A, A, RESTARTED);

        assertThat(counts.predecessor(RESTARTED)).isEmpty();
    }
}
