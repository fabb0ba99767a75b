package io.pgstress.report.page;

import io.pgstress.text.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium, controlled by the DevTools protocol. Commands and events are those of the {@linkplain #use current} tab. */
final class Browser implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int SECONDS = 60;

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> answers = new ConcurrentHashMap<>();
    private final List<Map<String, Object>> events = new CopyOnWriteArrayList<>();
    private String session = "";

    private Browser(Process process, String url) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(url), new Answers())
                .join();
    }

    /** The browser's executable on the PATH; tests that need it are skipped if there is none. */
    static Optional<Path> program() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .flatMap(dir -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it; {@code profile} is an empty directory. */
    static Browser start(Path program, Path profile) throws IOException {
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile)
                .redirectErrorStream(true)
                .start();
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            Matcher m = LISTENING.matcher(line);
            if (m.find()) {
                return new Browser(process, m.group(1));
            }
        }
        throw new IOException("Chromium ended before it listened");
    }

    /** A page of the browser. */
    record Tab(String target, String session) {}

    /** Opens an empty tab, which becomes the current one. */
    Tab openTab() {
        session = "";
        String target = (String)
                send("Target.createTarget", Map.of("url", "about:blank")).get("targetId");
        session = (String) send("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId");
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            send(domain + ".enable", Map.of());
        }
        return new Tab(target, session);
    }

    void use(Tab tab) {
        session = tab.session;
    }

    /** Closes a tab; there is no current one until another is opened or used. */
    void closeTab(Tab tab) {
        session = "";
        send("Target.closeTarget", Map.of("targetId", tab.target));
    }

    /** Sends a command and waits for its answer. */
    @SuppressWarnings("unchecked")
    Map<String, Object> send(String method, Map<String, Object> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> message = new java.util.HashMap<>(Map.of("id", id, "method", method, "params", parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(Json.writeLine(message), true).join();
        try {
            Map<String, Object> told = answer.get(SECONDS, TimeUnit.SECONDS);
            if (told.containsKey("error")) {
                throw new IllegalStateException(method + ": " + told.get("error"));
            }
            return (Map<String, Object>) told.get("result");
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method, e);
        }
    }

    /** The value of a script, or of its promise. */
    @SuppressWarnings("unchecked")
    Object evaluate(String script) {
        Map<String, Object> told =
                send("Runtime.evaluate", Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
        if (told.containsKey("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + told.get("exceptionDetails"));
        }
        return ((Map<String, Object>) told.get("result")).get("value");
    }

    /** The parameters of all events of this name so far. */
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> events(String method) {
        return events.stream()
                .filter(e -> method.equals(e.get("method")) && session.equals(e.get("sessionId")))
                .map(e -> (Map<String, Object>) e.get("params"))
                .toList();
    }

    void forgetEvents() {
        events.removeIf(e -> session.equals(e.get("sessionId")));
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            process.waitFor(SECONDS, TimeUnit.SECONDS);
            process.getInputStream().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                Map<String, Object> message = Json.readMap(text.toString());
                text.setLength(0);
                if (message.get("id") instanceof Integer id) {
                    answers.remove(id).complete(message);
                } else {
                    events.add(message);
                }
            }
            webSocket.request(1);
            return null;
        }
    }
}
