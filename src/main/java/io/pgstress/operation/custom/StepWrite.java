package io.pgstress.operation.custom;

import io.pgstress.operation.Writes.Kind;
import io.pgstress.text.SqlVerb;
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

    /** The write of this SQL text; null if it only reads. */
    public static @Nullable StepWrite of(String sql) {
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
        return verb.word().equals("call") || verb.word().equals("do")
                ? unchecked("\"" + verb.word() + "\" does not report what it writes")
                : null;
    }

    private static Kind kind(String word) {
        String small = word.toLowerCase(Locale.ROOT);
        return small.startsWith("insert") ? Kind.INSERT : small.startsWith("delete") ? Kind.DELETE : Kind.UPDATE;
    }

    private static StepWrite unchecked(String why) {
        return new StepWrite(null, "", false, why);
    }
}
