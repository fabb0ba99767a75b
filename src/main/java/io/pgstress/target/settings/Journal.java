package io.pgstress.target.settings;

import io.pgstress.plan.Endpoint;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes to undo on servers, in a file that survives a kill of the process: one line of JSON per change, on disk before
 * the change is made. It holds no secrets. One file per process, named by the time and its ID. Not thread-safe.
 */
public record Journal(Path file) {
    private static final String PREFIX = "altered-settings-";

    /**
     * One change.
     *
     * @param url of the server, without secrets
     * @param user the role that made it; empty if the URL or the environment determines it
     * @param before the value that ALTER SYSTEM had set earlier; null: none
     * @param value the value of the change
     */
    record Change(
            String url, String user, String name, @Nullable String before, String value) {}

    /** The journal of this process, in a directory that is created if it is missing. The start of the process orders the journals. */
    public static Journal own(Path directory) {
        ProcessHandle self = ProcessHandle.current();
        long begin = self.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
        return new Journal(directory.resolve(PREFIX + begin + "-" + self.pid() + ".json"));
    }

    /** The journals of processes that no longer exist, the newest first: in this order they must be undone. */
    public static List<Journal> leftBehind(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith(PREFIX))
                    .filter(f -> !isAlive(f))
                    .sorted(Comparator.reverseOrder())
                    .map(Journal::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isAlive(Path file) {
        String pid = file.getFileName().toString().replaceAll(".*-|\\..*", "");
        return !pid.isEmpty()
                && Long.parseLong(pid) != ProcessHandle.current().pid()
                && ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    /** The changes to undo, the last one first. */
    List<Change> changes() {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                change(line).ifPresent(change -> changes.add(0, change));
            }
            return changes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a line that a crash or a full disk cut off, because it belongs to a change that was not made. */
    private static Optional<Change> change(String line) {
        try {
            return Optional.of(Json.read(line, Change.class));
        } catch (TextException e) {
            return Optional.empty();
        }
    }

    /** Whether a change concerns one of these servers, judging by the URLs alone. */
    public boolean concerns(List<Endpoint> servers) {
        List<Endpoint> hosts =
                servers.stream().flatMap(each -> each.eachHost().stream()).toList();
        return changes().stream()
                .map(change -> new Endpoint(change.url(), 0))
                .anyMatch(changed -> hosts.stream().anyMatch(changed::isSameServer));
    }

    /**
     * One line per server: the settings that are still altered.
     *
     * @param who begins the line, such as {@code a killed run left}
     */
    public static List<String> stillInForce(String who, Collection<Journal> journals) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (Journal journal : journals) {
            for (Change change : journal.changes()) {
                names.computeIfAbsent(change.url(), url -> new TreeSet<>()).add(change.name());
            }
        }
        return names.entrySet().stream()
                .map(server -> who + " altered settings in force on " + server.getKey() + ": "
                        + String.join(", ", server.getValue()) + "; to restore them: stress settings restore")
                .toList();
    }

    /** Adds a change; it is on disk when this returns. */
    void add(Change change) {
        // the line before may have been cut off
        write("\n" + Json.writeLine(change) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Keeps only these changes; deletes the file if there are none. */
    void keep(List<Change> changes) {
        try {
            if (changes.isEmpty()) {
                Files.deleteIfExists(file);
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder text = new StringBuilder();
        for (int i = changes.size() - 1; i >= 0; i--) {
            text.append(Json.writeLine(changes.get(i))).append('\n');
        }
        write(text.toString(), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void write(String text, StandardOpenOption... how) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            List<StandardOpenOption> options = new ArrayList<>(List.of(how));
            options.add(StandardOpenOption.WRITE);
            try (FileChannel channel = FileChannel.open(file, options.toArray(StandardOpenOption[]::new))) {
                channel.write(StandardCharsets.UTF_8.encode(text));
                channel.force(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
