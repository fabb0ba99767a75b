package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Suggestion.Suggested;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The comment at the beginning of the file: what it is made of, and the command that runs it. Single use. */
final class FileHeader {
    private static final Pattern PLAIN = Pattern.compile("[\\w.:/@%+=,-]+");
    /** A profile whose fastest entry took this long probably holds slow operations only. */
    private static final int SLOW_MILLIS = 20;

    private static final int WIDTH = 110;

    private final Suggestion suggestion;
    private final Load load;
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
        comment("Operations on " + Redaction.clean(suggestion.namespace()) + ", written by stress suggest. " + from);
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
