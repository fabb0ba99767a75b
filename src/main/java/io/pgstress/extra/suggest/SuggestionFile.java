package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Suggestion.Suggested;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of an operations file. Single use. */
final class SuggestionFile {
    private final Suggestion suggestion;
    private final Load load;
    private final String file;
    private final StringBuilder text = new StringBuilder();

    SuggestionFile(Suggestion suggestion, String file) {
        this.suggestion = suggestion;
        this.load = suggestion.load();
        this.file = file;
    }

    String text() {
        text.append(new FileHeader(suggestion, file).text());
        suggestion.suggested().forEach(this::operation);
        if (!suggestion.lost().isEmpty()) {
            text.append("\n# Not translated:\n");
            suggestion.lost().forEach(this::lost);
        }
        return text.toString();
    }

    private void operation(Suggested operation) {
        Statement statement = operation.statement();
        text.append('\n').append(operation.name()).append(":\n");
        text.append("  # ").append(seen(operation.usage())).append('\n');
        if (!statement.note().isEmpty()) {
            text.append("  # ").append(statement.note()).append('\n');
        }
        if (suggestion.showsValues() && !operation.usage().isGuess()) {
            text.append("  # ").append(operation.usage().example()).append('\n');
        }
        if (statement.changes()) {
            text.append("  copy: full\n");
        }
        if (!statement.parameters().isEmpty()) {
            text.append("  parameters:\n");
            statement
                    .parameters()
                    .forEach((name, value) -> text.append("    ")
                            .append(name)
                            .append(": ")
                            .append(value)
                            .append('\n'));
        }
        text.append("  steps:\n    - name: ").append(statement.step()).append("\n      sql: |-\n");
        statement
                .sql()
                .lines()
                .forEach(line -> text.append("        ").append(line).append('\n'));
    }

    private String seen(Usage usage) {
        if (usage.isGuess()) {
            return "a guess";
        }
        List<String> parts = new ArrayList<>();
        parts.add(String.format(
                Locale.ROOT,
                "%s (%.1f%%)",
                FileHeader.count(usage.count(), "entry", "entries"),
                100.0 * usage.count() / Math.max(1, load.entries())));
        parts.add(String.format(
                Locale.ROOT, "median %,d ms, 95%% within %,d ms", usage.medianMillis(), usage.p95Millis()));
        parts.add(String.format(
                Locale.ROOT, "%.1f documents each, %.1f examined", usage.meanRows(), usage.meanExamined()));
        return String.join("; ", parts);
    }

    private void lost(Load.Lost what, Usage usage) {
        String times = usage.isGuess() ? "" : FileHeader.count(usage.count(), "entry", "entries") + ": ";
        String command = what.command().isBlank() ? "" : ": " + what.command();
        text.append("# - ")
                .append(times)
                .append(Redaction.clean(what.reason() + command))
                .append('\n');
    }
}
