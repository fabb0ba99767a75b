package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;
import com.pty4j.WinSize;
import io.pgstress.testing.Child;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A run in a pseudo-terminal that is resized. */
@DisabledOnOs(OS.WINDOWS)
final class PseudoTerminalTest {
    private static final int[] WIDTHS = {120, 80, 40};
    private static final int UPDATES = 4;
    private static final int CTRL_C = 3;

    /** An update of the live line: whole fields with whole units, and one erasure, after the text. */
    private static final String FIELDS =
            "(\\w+ > )*\\w+( \\[[█░]+])?( \\d+ s left| \\d+ s)?( [\\d,.]+ ops/s)?( [▁-█]+)?"
                    + "( errors [\\d,]+)?(  mean [\\d,.]+ ms)?(  p99 [\\d,.]+ ms)?(  in [\\d,.]+ out [\\d,.]+ Mbit/s)?";

    private static String url;

    @BeforeAll
    static void table() {
        url = TestServer.freshDatabase("pty");
        TestServer.table(url, "docs", 100);
    }

    /** A run of this duration in such a terminal, watched to its end. */
    private static Watched watch(String term, String duration) throws IOException {
        return watch(term, true, "-t docs -c 1 --warmup 0 -P 100ms -T %s --url %s".formatted(duration, url));
    }

    private static Watched watch(String term, boolean resizes, String arguments) throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeAll(List.of("COLUMNS", "NO_COLOR", "PGSTRESS_TERMINAL", "PGSTRESS_STDOUT"));
        environment.put("TERM", term);
        environment.put("LC_ALL", "C.UTF-8");
        List<String> command = new ArrayList<>(Child.command("256m", Runs.words(arguments)));
        command.add(1, "-Dstdout.encoding=UTF-8");
        PtyProcess child = new PtyProcessBuilder(command.toArray(String[]::new))
                .setEnvironment(environment)
                .setInitialColumns(WIDTHS[0])
                .setInitialRows(24)
                .start();
        Watched watched = new Watched(child, resizes);
        try (Reader reader = new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8)) {
            watched.readAll(reader);
        } finally {
            child.destroyForcibly();
        }
        return watched;
    }

    @Test
    void liveLineHasWholeFieldsAndNeverWrapsAlsoAfterResizing() throws Exception {
        Watched watched = watch("xterm", "60s");

        assertThat(watched.seen).as("%s", watched.text).isEqualTo(WIDTHS.length);
        assertThat(watched.text.toString())
                .as("validity has a color")
                .containsPattern("\u001b\\[3[123]m(valid|not valid)");
    }

    @Test
    void stepsOfASearchAndBlocksOfAComparisonMove() throws Exception {
        String load = " -t docs --warmup 100ms -T 300ms -P 100ms --url " + url;

        assertThat(watch("xterm", false, "tune --max-clients 2 --repeat-limit 0" + load)
                        .text
                        .toString())
                .containsPattern("\r1 client: [^\n]*measure [^\n]* ops/s[^\n]*\r\u001b\\[K1 client: ")
                .containsPattern("\r2 clients: [^\n]*measure ");
        assertThat(watch("xterm", false, "compare --vary clients=1,2 --rounds 1" + load)
                        .text
                        .toString())
                .containsPattern("settling: 2\r?\n\r2: [^\n]*ops/s");
    }

    @Test
    void dumbTerminalGetsPlainLines() throws Exception {
        assertThat(watch("dumb", "200ms").text.toString())
                .contains("measuring for 0.2 s")
                .doesNotContain("\u001b");
    }

    /** The output, with the updates of the live line in it. Resizes the terminal after some updates that fit. */
    private static final class Watched {
        private final StringBuilder text = new StringBuilder();
        private final PtyProcess child;
        private final boolean resizes;
        private int seen;
        private int fitting;
        private int start = -1;

        /** @param resizes whether the output is that of one run, whose terminal is resized */
        Watched(PtyProcess child, boolean resizes) {
            this.child = child;
            this.resizes = resizes;
        }

        void readAll(Reader reader) throws IOException {
            try {
                for (int c = reader.read(); c >= 0; c = reader.read()) {
                    add((char) c);
                }
            } catch (IOException e) {
                // EIO: how Linux reports the end of a terminal whose process has ended
            }
        }

        private void add(char c) throws IOException {
            text.append(c);
            if (c == '\r') {
                start = text.length();
            } else if (c == '\n') {
                start = -1;
            } else if (start >= 0 && text.indexOf("\u001b[K", start) >= 0) {
                String update = text.substring(start, text.length() - 3);
                start = -1;
                if (resizes && !update.isEmpty() && seen < WIDTHS.length) {
                    update(update);
                }
            }
        }

        private void update(String update) throws IOException {
            assertThat(update).matches(FIELDS);
            boolean fits = update.length() < WIDTHS[seen];
            assertThat(fits || fitting == 0)
                    .as("%d columns: %s", WIDTHS[seen], update)
                    .isTrue();
            fitting += fits ? 1 : 0;
            if (fitting == UPDATES) {
                fitting = 0;
                seen++;
                if (seen < WIDTHS.length) {
                    child.setWinSize(new WinSize(WIDTHS[seen], 24));
                } else {
                    child.getOutputStream().write(CTRL_C);
                    child.getOutputStream().flush();
                }
            }
        }
    }
}
