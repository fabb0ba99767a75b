package io.pgstress.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of a machine's files, by path; a file that is missing or not readable is an empty text. */
public record MachineFiles(Map<String, String> byPath) {
    private static final Pattern HEAD = Pattern.compile("(?m)^==> (\\S+) <==$");

    public MachineFiles {
        byPath = Map.copyOf(byPath);
    }

    /** A command of a POSIX shell that prints the files for {@link #parse}; it never fails. */
    public static String command(List<String> paths) {
        return "for f in " + String.join(" ", paths) + "; do echo \"==> $f <==\"; cat $f 2>/dev/null; echo; done";
    }

    /** Parses the files' texts, each after a line with its path, as {@link #command} prints it. */
    public static MachineFiles parse(String text) {
        Map<String, String> files = new LinkedHashMap<>();
        Matcher head = HEAD.matcher(text);
        String path = "";
        int start = 0;
        while (head.find()) {
            if (!path.isEmpty()) {
                files.put(path, text.substring(start, head.start()));
            }
            path = head.group(1);
            start = Math.min(text.length(), head.end() + 1);
        }
        if (!path.isEmpty()) {
            files.put(path, text.substring(start));
        }
        return new MachineFiles(files);
    }

    /** Reads files of this machine. */
    public static MachineFiles local(List<String> paths) {
        Map<String, String> files = new LinkedHashMap<>();
        for (String path : paths) {
            try {
                files.put(path, new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8));
            } catch (IOException e) {
                files.put(path, ""); // not on this system, or not for this user
            }
        }
        return new MachineFiles(files);
    }

    /** These files and others. */
    MachineFiles with(@Nullable MachineFiles others) {
        Map<String, String> all = new LinkedHashMap<>(byPath);
        all.putAll(others == null ? Map.of() : others.byPath);
        return new MachineFiles(all);
    }

    /** The text of a file without surrounding space; empty if it is missing. */
    public String text(String path) {
        return byPath.getOrDefault(path, "").strip();
    }
}
