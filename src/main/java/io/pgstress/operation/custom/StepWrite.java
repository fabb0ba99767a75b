package io.pgstress.operation.custom;

import io.pgstress.operation.Writes.Kind;
import io.pgstress.text.SqlText;
import io.pgstress.text.SqlVerb;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a statement writes, according to its SQL text.
 *
 * @param kind null: it may write, but its row count does not tell how many rows remain
 * @param table the table as written in SQL; empty if {@code kind} is null
 * @param isRowDue whether success without a row means that the server discarded it
 * @param why the reason it cannot be checked, if {@code kind} is null
 */
public record StepWrite(@Nullable Kind kind, String table, boolean isRowDue, String why) {
    private static final String NAME = "(?:\"(?:[^\"]|\"\")+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)";
    private static final String BEFORE = "(?s)^(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*";
    private static final Pattern CHANGE = Pattern.compile(
            BEFORE + "(insert\\s+into|delete\\s+from(?:\\s+only)?|update(?:\\s+only)?)\\s+(" + NAME + "(?:\\s*\\.\\s*"
                    + NAME + ")?)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern UPSERT =
            Pattern.compile("(?s)\\bon\\s+conflict\\b.*\\bdo\\s+update\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CONDITIONAL =
            Pattern.compile("\\b(select|on\\s+conflict)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern NESTED =
            Pattern.compile("\\b(insert|update|delete|merge)\\b", Pattern.CASE_INSENSITIVE);

    /** Of the words of a statement. */
    private static final Pattern SAVEPOINTS =
            Pattern.compile("^(savepoint|release|rollback (work |transaction )?to)\\b");

    private static final Pattern TWO_PHASES = Pattern.compile("^(prepare transaction|(commit|rollback) prepared)\\b");
    private static final Pattern SETS_PATH = Pattern.compile("^set .*\\b(search_path|schema)\\b|\\bset_config\\b");

    /** The write of this SQL text; null if it neither writes nor obscures which writes remain. */
    public static @Nullable StepWrite of(String sql) {
        List<String> statements = SqlText.statements(sql).stream()
                .filter(one -> !SqlVerb.of(one).word().isEmpty())
                .toList();
        if (statements.size() <= 1) {
            return ofOne(sql);
        }
        return statements.stream().anyMatch(one -> ofOne(one) != null) ? unchecked("it has several statements") : null;
    }

    /**
     * Why the rows of the acknowledged writes around a statement are not known: it may undo them or leave them open, or they go to
     * another table than a name says. An empty string if nothing is obscured.
     */
    public static String obscures(String sql) {
        String words = String.join(" ", SqlText.words(sql));
        if (SAVEPOINTS.matcher(words).find()) {
            return "it has savepoints";
        }
        if (TWO_PHASES.matcher(words).find()) {
            return "it has transactions of two phases";
        }
        return SETS_PATH.matcher(words).find() ? "it sets what its names mean" : "";
    }

    private static @Nullable StepWrite ofOne(String sql) {
        SqlVerb verb = SqlVerb.of(sql);
        Matcher change = CHANGE.matcher(sql);
        if (change.find()) {
            Kind kind = kind(change.group(1));
            if (kind == Kind.INSERT && UPSERT.matcher(sql).find()) {
                return unchecked("\"on conflict do update\" counts new rows and changed ones alike");
            }
            boolean isRowDue = kind == Kind.INSERT && !CONDITIONAL.matcher(sql).find();
            return new StepWrite(kind, change.group(2), isRowDue, "");
        }
        if (verb.isChange()) {
            return unchecked("\"" + verb.word() + "\" does not tell which rows it inserted, updated or deleted");
        }
        if (verb.word().equals("with") && NESTED.matcher(sql).find()) {
            return unchecked("its row count covers only its last part");
        }
        String obscured = obscures(sql);
        if (!obscured.isEmpty()) {
            return unchecked(obscured);
        }
        boolean isOnlyExplained =
                verb.word().equals("explain") && !SqlText.words(sql).contains("analyze");
        return verb.leavesRows() || isOnlyExplained
                ? null
                : unchecked("\"" + verb.word() + "\" does not report which rows it changes");
    }

    private static Kind kind(String word) {
        String small = word.toLowerCase(Locale.ROOT);
        return small.startsWith("insert") ? Kind.INSERT : small.startsWith("delete") ? Kind.DELETE : Kind.UPDATE;
    }

    private static StepWrite unchecked(String why) {
        return new StepWrite(null, "", false, why);
    }
}
