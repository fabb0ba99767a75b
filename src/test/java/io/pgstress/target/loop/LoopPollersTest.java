package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Loops leave nothing of the JDK behind that ends with them. In a JVM of its own, because the JDK starts its pollers once. */
@EveryJdk
final class LoopPollersTest {
    private static final long SECONDS = 20;

    /** Waits for sockets on virtual threads of three loops, one after the other. */
    static final class OnLoopAfterLoop {
        private OnLoopAfterLoop() {}

        public static void main(String... none) throws Exception {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Throwable> broke = new CompletableFuture<>();
                try (EventLoops loops = new EventLoops(1, broke::complete)) {
                    System.out.println("read " + read(loops));
                }
            }
        }

        /** An ordinary socket, not one of the loop. */
        private static int read(EventLoops loops) throws Exception {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket peer = server.accept()) {
                CompletableFuture<Integer> read = new CompletableFuture<>();
                CompletableFuture<Thread> begun = new CompletableFuture<>();
                Thread reader = loops.newThread(() -> {
                    begun.complete(Thread.currentThread());
                    try {
                        read.complete(client.getInputStream().read());
                    } catch (IOException e) {
                        read.completeExceptionally(e);
                    }
                });
                reader.start();
                begun.get();
                while (reader.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait(); // until it waits
                }
                peer.getOutputStream().write(7);
                return read.get(SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void threadsOfALaterLoopAreWokenToo() throws IOException, InterruptedException {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OnLoopAfterLoop.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(child.waitFor()).as(said).isZero();
            assertThat(said.lines()).containsExactly("read 7", "read 7", "read 7");
        } finally {
            child.destroyForcibly();
        }
    }
}
