package io.pgstress.extra.suggest;

import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.ObservedLoad.Lost;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.WrappedText;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.ProfilePart;
import io.pgstress.text.Counted;
import io.pgstress.text.Quoting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Operations for {@code --operations} that resemble those of production. */
public final class Suggestion {
    /**
     * An operation.
     *
     * @param name unique in the file
     */
    private record Suggested(String name, Shape shape, Statement statement, Usage usage) {}

    /**
     * What the profile says of an operation.
     *
     * @param name its name in the file
     * @param times its durations; null for a guess, or if the profile has slow operations only
     * @param examined documents that MongoDB looked at each time, on average; null for a guess
     * @param changes whether it changes the copy table
     * @param updates whether it updates documents there
     * @param indexKey the key of an index that would serve it, and whether each field is in descending order; empty: none would
     */
    public record Observed(
            String name,
            @Nullable Times times,
            @Nullable Double examined,
            boolean changes,
            boolean updates,
            Map<String, Boolean> indexKey) {
        /** An operation that the dump says nothing of. */
        public static Observed unknown(String name) {
            return new Observed(name, null, null, false, false, Map.of());
        }
    }

    /** Durations of an operation in MongoDB. */
    public record Times(ObservedTime median, ObservedTime p95, ObservedTime p99) {
        private static Times of(Usage usage) {
            return new Times(usage.time(0.5), usage.time(0.95), usage.time(0.99));
        }
    }

    /** A profile whose fastest entry took this long probably holds slow operations only. */
    private static final int SLOW_MILLIS = 20;

    /** Times of entries are read to the second, so that a rate over fewer seconds is not precise. */
    private static final int MIN_SECONDS = 10;

    private static final int WIDTH = 109;

    private final Profile source;
    private final ObservedLoad load;
    private final boolean values;
    private final Set<String> contained;
    private final List<Suggested> operations = new ArrayList<>();
    private final Map<Lost, Usage> lost;

    private Suggestion(Profile source, boolean values, Set<String> contained) {
        this.source = source;
        this.contained = contained;
        this.load = source.load();
        this.values = values;
        this.lost = new LinkedHashMap<>(load.lost());
        Set<String> names = new HashSet<>();
        load.shapes().entrySet().stream()
                .sorted(Comparator.comparing(each -> -each.getValue().count()))
                .forEach(each -> add(each.getKey(), each.getValue(), names));
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
    public static Suggestion of(DumpSource dump, List<String> databases, String collection, boolean values)
            throws IOException, InterruptedException {
        return new Suggestion(Profile.read(dump, databases, collection, any -> true), values, Set.of());
    }

    /**
     * Reads a dump that is a directory or a file, with the busiest collection and without values.
     *
     * @param among whether a collection may be taken
     */
    public static Suggestion of(Path dump, List<String> databases, Predicate<Namespace> among)
            throws IOException, InterruptedException {
        DumpSource source = new DumpSource(dump.toString(), ImportInput.Streams.of(InputStream.nullInputStream()));
        return new Suggestion(Profile.read(source, databases, "", among), false, Set.of());
    }

    /**
     * These operations, some with conditions that GIN on whole documents serves: {@code data @> ...}. Empty if none of those can be
     * written so.
     *
     * @param names of those
     */
    public Optional<Suggestion> containing(Set<String> names) {
        Suggestion other = new Suggestion(source, values, names);
        return other.operations.equals(operations) ? Optional.empty() : Optional.of(other);
    }

    private void add(Shape shape, Usage usage, Set<String> names) {
        Statement statement;
        try {
            statement = Statement.of(shape, usage, source.facts(), false);
        } catch (Untranslatable e) {
            lost.put(new Lost(e.reason(), String.join(", ", shape.filter().paths())), usage);
            return;
        }
        String name = statement.name();
        for (int i = 2; !names.add(name); i++) {
            name = statement.name() + "_" + i;
        }
        Statement used = contained.contains(name) ? Statement.of(shape, usage, source.facts(), true) : statement;
        operations.add(new Suggested(name, shape, used, usage));
    }

    /** The operations, the most frequent first. */
    public List<Observed> observed() {
        return operations.stream()
                .map(each -> new Observed(
                        each.name(),
                        isGuess() || isOfSlowOperations() ? null : Times.of(each.usage()),
                        isGuess() ? null : each.usage().meanExamined(),
                        each.statement().changes(),
                        each.shape() instanceof Shape.Update,
                        each.shape().indexKey()))
                .toList();
    }

    /** Their mix, as {@code --op} takes it. */
    public String mix() {
        return operations.stream()
                .map(each -> each.name() + ":" + each.usage().count())
                .collect(Collectors.joining(","));
    }

    /** How often they ran in all, per second; null if the profile does not tell, because it has slow operations only or is too short. */
    public @Nullable Double perSecond() {
        if (isGuess() || isOfSlowOperations() || load.from().isEmpty()) {
            return null;
        }
        long seconds = Duration.between(Instant.parse(load.from()), Instant.parse(load.to()))
                .toSeconds();
        int count = operations.stream().mapToInt(each -> each.usage().count()).sum();
        return seconds < MIN_SECONDS ? null : (double) count / seconds;
    }

    /** Whether the profile probably has slow operations only. */
    private boolean isOfSlowOperations() {
        return !isGuess() && load.fastestMillis() >= SLOW_MILLIS;
    }

    /** Number of operations. */
    public int operations() {
        return operations.size();
    }

    /** What the file has, in words. */
    public String counts() {
        return Counted.of(operations(), "operation") + ", " + Counted.of(lost.size(), "shape") + " not translated";
    }

    /** Why operations are not in the file. */
    public List<String> reasons() {
        return lost.keySet().stream().map(Lost::reason).distinct().toList();
    }

    /** The collection, with its database. */
    public String namespace() {
        return source.database().isEmpty() ? source.collection() : source.database() + "." + source.collection();
    }

    /** Whether the dump has no profile of the collection, so that the operations are guesses. */
    public boolean isGuess() {
        return load.entries() == 0;
    }

    /** What part of the profile the operations are; null if they are guesses. */
    public @Nullable ProfilePart part() {
        return isGuess()
                ? null
                : new ProfilePart(
                        load.entries()
                                + others().values().stream().mapToLong(n -> n).sum(),
                        lost.values().stream().mapToLong(Usage::count).sum(),
                        others());
    }

    /** The other collections that could have been taken, with the number of their entries in the profile. */
    public Map<String, Long> others() {
        return source.others();
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
        StringBuilder text = new StringBuilder();
        header(file, text);
        operations.forEach(each -> operation(each, text));
        if (!lost.isEmpty()) {
            text.append("\n# Not translated:\n");
            lost.forEach((what, usage) -> {
                String times = usage.isGuess() ? "" : Counted.of(usage.count(), "entry") + ": ";
                String command = what.command().isBlank() ? "" : ": " + what.command();
                text.append("# - ")
                        .append(times)
                        .append(Redaction.clean(what.reason() + command))
                        .append('\n');
            });
        }
        return text.toString();
    }

    /** The comment at the beginning of the file: what it is made of, and the command that runs it. */
    private void header(String file, StringBuilder text) {
        String from = isGuess()
                ? "The dump has no system.profile of it: these operations are guesses from its indexes, with equal"
                        + " weights."
                : String.format(
                        Locale.ROOT,
                        "%s of system.profile, from %s to %s. Weights are numbers of entries.",
                        Counted.of(load.entries(), "entry"),
                        load.from(),
                        load.to());
        comment("Operations on " + Redaction.clean(namespace()) + ", written by stress suggest. " + from, text);
        if (!operations.isEmpty()) {
            text.append("#\n#   ./stress --url \"$URL\" --table " + word(source.table(), "NAME"))
                    .append(" --operations " + word(file, "FILE") + " --op " + mix() + "\n#\n");
        }
        boolean changes = operations.stream().anyMatch(each -> each.statement().changes());
        comment(
                "Parameters draw their values from the table. "
                        + (values
                                ? "Comments show values of the profile (--values). "
                                : "No values of the profile are in this file, only limits and numbers of rows. ")
                        + (changes ? "Changes are made in the copy table, which is filled before each run." : ""),
                text);
        if (isOfSlowOperations()) {
            comment(
                    "Every entry took at least " + load.fastestMillis()
                            + " ms: at profiling level 1, the profile has only slow operations, so the weights are not those of"
                            + " all operations.",
                    text);
        }
        if (load.fetches() > 0) {
            comment(
                    Counted.of(load.fetches(), "entry")
                            + " (getmore) fetched further rows of a query. Here, each query reads all its rows at once.",
                    text);
        }
    }

    /** A word of the command in a comment, which has one line. */
    private static String word(String wanted, String otherwise) {
        return wanted.codePoints().allMatch(Quoting::isPrintable) ? Quoting.shellWord(wanted) : otherwise;
    }

    /** Appends a comment in lines of limited length. */
    private static void comment(String words, StringBuilder text) {
        String lines = WrappedText.of(words.strip(), 0, WIDTH);
        text.append("# ").append(lines.replace("\n", "\n# ")).append('\n');
    }

    private void operation(Suggested operation, StringBuilder text) {
        Statement statement = operation.statement();
        text.append("\n" + operation.name() + ":\n  # " + seen(operation.usage()) + "\n");
        statement.notes().forEach(note -> text.append("  # " + note + "\n"));
        if (values && !operation.usage().isGuess()) {
            text.append("  # " + operation.usage().example() + "\n");
        }
        text.append(statement.changes() ? "  copy: full\n" : "");
        text.append(statement.parameters().isEmpty() ? "" : "  parameters:\n");
        statement.parameters().forEach((name, value) -> text.append("    " + name + ": " + value + "\n"));
        text.append("  steps:\n    - name: " + statement.step() + "\n      sql: |-\n");
        text.append(statement.sql().indent(8));
    }

    private String seen(Usage usage) {
        return usage.isGuess()
                ? "a guess"
                : String.format(
                        Locale.ROOT,
                        "%s (%.1f%%); median %,d ms, 95%% within %,d ms; %s documents each, %s examined",
                        Counted.of(usage.count(), "entry"),
                        100.0 * usage.count() / Math.max(1, load.entries()),
                        usage.medianMillis(),
                        usage.p95Millis(),
                        rounded(usage.meanRows()),
                        rounded(usage.meanExamined()));
    }

    private static String rounded(double documents) {
        return Figures.decimal(documents, documents < 100 ? 1 : 0);
    }
}
