package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.ObservedLoad.Lost;
import io.pgstress.extra.suggest.Suggestion.Suggested;
import io.pgstress.extra.suggest.Translator.Statement;
import io.pgstress.extra.suggest.Translator.Untranslatable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Operations for {@code --operations} that resemble those of production. */
public final class Suggestion {
    /**
     * An operation.
     *
     * @param name unique in the file
     */
    record Suggested(String name, Statement statement, Usage usage) {}

    private final ProfileSource source;
    private final boolean values;
    private final List<Suggested> operations = new ArrayList<>();
    private final Map<Lost, Usage> lost = new LinkedHashMap<>();

    private Suggestion(ProfileSource source, boolean values) {
        this.source = source;
        this.values = values;
        lost.putAll(source.load().lost());
        Translator translator = new Translator(source.facts());
        Set<String> names = new HashSet<>();
        source.load().shapes().entrySet().stream()
                .sorted(Comparator.comparing(each -> -each.getValue().count()))
                .forEach(each -> add(each.getKey(), each.getValue(), translator, names));
    }

    /**
     * Reads a dump.
     *
     * @param databases patterns; empty: all
     * @param collection empty: the busiest one
     * @param values whether comments show values of the profile
     * @throws io.pgstress.plan.option.InvalidPlanException if there is no such dump or collection
     * @throws io.pgstress.bson.BsonException if the dump cannot be read
     */
    public static Suggestion of(Path dump, List<String> databases, String collection, boolean values)
            throws IOException, InterruptedException {
        return new Suggestion(ProfileSource.read(dump, databases, collection), values);
    }

    private void add(Shape shape, Usage usage, Translator translator, Set<String> names) {
        Statement statement;
        try {
            statement = translator.translate(shape, usage);
        } catch (Untranslatable e) {
            lost.put(new Lost(e.reason(), String.join(", ", shape.filter().paths())), usage);
            return;
        }
        String name = statement.name();
        for (int i = 2; !names.add(name); i++) {
            name = statement.name() + "_" + i;
        }
        operations.add(new Suggested(name, statement, usage));
    }

    ProfileSource source() {
        return source;
    }

    /** The operations, the most frequent first. */
    List<Suggested> suggested() {
        return List.copyOf(operations);
    }

    /** What is not translated. */
    Map<Lost, Usage> lost() {
        return new LinkedHashMap<>(lost);
    }

    boolean showsValues() {
        return values;
    }

    ObservedLoad load() {
        return source.load();
    }

    /** Number of operations. */
    public int operations() {
        return operations.size();
    }

    /** Number of shapes that have no operation. */
    public int untranslated() {
        return lost.size();
    }

    /** What the file has, in words. */
    public String counts() {
        return FileHeader.count(operations(), "operation", "operations") + ", "
                + FileHeader.count(untranslated(), "shape", "shapes") + " not translated";
    }

    /** The collection, with its database. */
    public String namespace() {
        return source.database().isEmpty() ? source.collection() : source.database() + "." + source.collection();
    }

    /** Whether the dump has no profile of the collection, so that the operations are guesses. */
    public boolean isGuess() {
        return source.load().entries() == 0;
    }

    /** What else there is to know. */
    public List<String> notes() {
        return source.notes();
    }

    /**
     * The operations file.
     *
     * @param file its name for the command in its first lines
     */
    public String yaml(String file) {
        return new SuggestionFile(this, file).text();
    }

    /** The text of an operations file. Single use. */
    static final class SuggestionFile {
        private final Suggestion suggestion;
        private final ObservedLoad load;
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

        private void lost(ObservedLoad.Lost what, Usage usage) {
            String times = usage.isGuess() ? "" : FileHeader.count(usage.count(), "entry", "entries") + ": ";
            String command = what.command().isBlank() ? "" : ": " + what.command();
            text.append("# - ")
                    .append(times)
                    .append(Redaction.clean(what.reason() + command))
                    .append('\n');
        }
    }

    /** The comment at the beginning of the file: what it is made of, and the command that runs it. Single use. */
    static final class FileHeader {
        private static final Pattern PLAIN = Pattern.compile("[\\w.:/@%+=,-]+");
        /** A profile whose fastest entry took this long probably holds slow operations only. */
        private static final int SLOW_MILLIS = 20;

        private static final int WIDTH = 110;

        private final Suggestion suggestion;
        private final ObservedLoad load;
        private final String file;
        private final StringBuilder text = new StringBuilder();

        FileHeader(Suggestion suggestion, String file) {
            this.suggestion = suggestion;
            this.load = suggestion.load();
            this.file = file;
        }

        /** The comment. */
        String text() {
            List<Suggested> all = suggestion.suggested();
            String from = suggestion.isGuess()
                    ? "The dump has no system.profile of it: these operations are guesses from its indexes, with equal"
                            + " weights."
                    : String.format(
                            Locale.ROOT,
                            "%s of system.profile, from %s to %s. Weights are numbers of entries.",
                            count(load.entries(), "entry", "entries"),
                            load.from(),
                            load.to());
            comment("Operations on " + Redaction.clean(suggestion.namespace()) + ", written by stress suggest. "
                    + from);
            if (!all.isEmpty()) {
                command(all);
            }
            comment("Parameters draw their values from the table. " + valuesNote() + changesNote());
            cautions();
            return text.toString();
        }

        private void command(List<Suggested> all) {
            String mix = all.stream()
                    .map(each -> each.name() + ":" + each.usage().count())
                    .collect(Collectors.joining(","));
            text.append("#\n#   ./stress --url \"$URL\" --table ")
                    .append(word(suggestion.source().collection(), "NAME"))
                    .append(" --operations ")
                    .append(word(file, "FILE"))
                    .append(" --op ")
                    .append(mix)
                    .append("\n#\n");
        }

        private void cautions() {
            if (!suggestion.isGuess() && load.fastestMillis() >= SLOW_MILLIS) {
                comment("Every entry took at least " + load.fastestMillis()
                        + " ms: at profiling level 1, the profile has only slow operations, so the weights are not those of"
                        + " all operations.");
            }
            if (load.fetches() > 0) {
                comment(String.format(
                        Locale.ROOT,
                        "%s (getmore) fetched further rows of a query. Here, each query reads all its rows at once.",
                        count(load.fetches(), "entry", "entries")));
            }
        }

        /** A number with its noun. */
        static String count(long number, String one, String many) {
            return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
        }

        private String valuesNote() {
            return suggestion.showsValues()
                    ? "Comments show values of the profile (--values). "
                    : "No values of the profile are in this file, only limits and numbers of rows. ";
        }

        private String changesNote() {
            boolean changes = suggestion.suggested().stream()
                    .anyMatch(each -> each.statement().changes());
            return changes ? "Changes are made in the copy table, which is filled before each run." : "";
        }

        private static String word(String wanted, String otherwise) {
            return PLAIN.matcher(wanted).matches() ? wanted : otherwise;
        }

        /** A comment in lines of limited length. */
        private void comment(String words) {
            int length = 0;
            for (String word : words.strip().split(" +", -1)) {
                if (length == 0 || length + word.length() > WIDTH) {
                    text.append(length == 0 ? "#" : "\n#");
                    length = 1;
                }
                text.append(' ').append(word);
                length += word.length() + 1;
            }
            text.append('\n');
        }
    }
}
