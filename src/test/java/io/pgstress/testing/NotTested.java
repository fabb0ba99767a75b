package io.pgstress.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The build's last line: what was not tested, and why, from the files that {@link SkippedTests} wrote. */
public final class NotTested {
    private NotTested() {}

    /** @param arguments the directory of those files; it is missing if every test ran */
    public static void main(String... arguments) throws IOException {
        System.out.println(summary(reasons(Path.of(arguments[0]))));
    }

    private static List<String> reasons(Path directory) throws IOException {
        List<String> reasons = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    reasons.addAll(Files.readAllLines(file));
                }
            }
        }
        return reasons;
    }

    /** One line; equal reasons are counted. */
    static String summary(List<String> reasons) {
        if (reasons.isEmpty()) {
            return "Every test ran; none was skipped.";
        }
        Map<String, Long> counts =
                reasons.stream().collect(Collectors.groupingBy(r -> r, TreeMap::new, Collectors.counting()));
        return "NOT TESTED HERE: "
                + counts.entrySet().stream()
                        .map(reason -> reason.getKey() + " (" + reason.getValue() + ")")
                        .collect(Collectors.joining("; "));
    }
}
