package io.pgstress.plan.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An option, the same on the command line ({@code --name}) and in a scenario ({@code name:}).
 *
 * @param name long name without dashes
 * @param letter short name, one letter, or an empty string
 * @param label what the help calls its value; an empty string for a flag
 * @param defaults the texts of its value when it is not given; empty: none
 * @param repeats whether it may be given more than once
 * @param group the heading in the help
 * @param brief a few words for the help, without a period
 * @param details sentences that explain more; an empty string: none
 * @param words the words that its value can be, or that a value with several parts is made of; empty if they are not listed
 * @param reader reads all its texts; throws {@link IllegalArgumentException} as {@link Form} does
 * @param objection what is wrong with its value beside the other options; an empty string: nothing
 */
public record Option<T>(
        String name,
        String letter,
        String label,
        List<String> defaults,
        boolean repeats,
        Group group,
        String brief,
        String details,
        List<String> words,
        Function<List<String>, T> reader,
        Function<Options, String> objection) {
    /** The label of options that name a file, which a scenario sees from its own directory. */
    private static final String FILE = "FILE";

    /** An option that takes one value. It needs a default. */
    public static <T> Option<T> of(String name, String label, Form<T> form) {
        return plain(name, label, false, last(form)).words(form.words());
    }

    /** An option that takes one value, or is not given. */
    public static <T> Option<Optional<T>> optional(String name, String label, Form<T> form) {
        return of(name, label, Forms.optional(form));
    }

    /** An option that may be given several times. */
    public static <T> Option<List<T>> list(String name, String label, Form<T> form) {
        return plain(name, label, true, texts -> Forms.each(form, texts)).words(form.words());
    }

    /** {@code NAME=VALUE}, any number of times; the last value of a name holds. */
    public static Option<Map<String, String>> pairs(String name) {
        return plain(name, "NAME=VALUE", true, Option::pairs);
    }

    /** An option without a value. */
    public static Option<Boolean> flag(String name) {
        Form<String> words = Forms.choice(List.of("true", "false"));
        return of(name, "", text -> words.read(text).equals("true")).byDefault("false");
    }

    private static <T> Option<T> plain(String name, String label, boolean repeats, Function<List<String>, T> reader) {
        return new Option<>(name, "", label, List.of(), repeats, Group.NONE, "", "", List.of(), reader, o -> "");
    }

    private static <T> Function<List<String>, T> last(Form<T> form) {
        return texts ->
                form.read(texts.isEmpty() ? "" : texts.get(texts.size() - 1).trim());
    }

    private static Map<String, String> pairs(List<String> texts) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("must be NAME=VALUE, was '" + text + "'");
            }
            pairs.put(
                    text.substring(0, equals).trim(), text.substring(equals + 1).trim());
        }
        return pairs;
    }

    /** A copy with a short name. */
    public Option<T> letter(String itsLetter) {
        return new Option<>(name, itsLetter, label, defaults, repeats, group, brief, details, words, reader, objection);
    }

    /** A copy whose value is read in another form. */
    public Option<T> form(Form<T> other) {
        return new Option<>(
                name, letter, label, defaults, repeats, group, brief, details, other.words(), last(other), objection);
    }

    /** A copy under this heading, explained by these few words. */
    public Option<T> help(Group itsGroup, String itsBrief) {
        return help(itsGroup, itsBrief, "");
    }

    /** A copy under this heading, explained by these few words and, where there is room, by these sentences. */
    public Option<T> help(Group itsGroup, String itsBrief, String itsDetails) {
        return new Option<>(
                name, letter, label, defaults, repeats, itsGroup, itsBrief, itsDetails, words, reader, objection);
    }

    /** A copy whose value is one of these words, or is made of them. */
    public Option<T> words(List<String> itsWords) {
        return new Option<>(name, letter, label, defaults, repeats, group, brief, details, itsWords, reader, objection);
    }

    /** A copy that reads all its texts in this way. */
    public Option<T> reader(Function<List<String>, T> other) {
        return new Option<>(name, letter, label, defaults, repeats, group, brief, details, words, other, objection);
    }

    /** A copy with a default. */
    public Option<T> byDefault(String text) {
        return new Option<>(
                name, letter, label, List.of(text), repeats, group, brief, details, words, reader, objection);
    }

    /**
     * A copy that is refused beside other options for the reason that the function returns; an empty string: it is not. Of several
     * functions the first that objects is reported.
     */
    public Option<T> refusedIf(Function<Options, String> reason) {
        Function<Options, String> either = options -> {
            String first = objection.apply(options);
            return first.isEmpty() ? reason.apply(options) : first;
        };
        return new Option<>(name, letter, label, defaults, repeats, group, brief, details, words, reader, either);
    }

    /** A copy that is refused, for this reason, without one of the commands' other options. Commands without that option permit it. */
    public Option<T> needs(Supplier<Option<?>> other, String reason) {
        return refusedIf(o -> o.isGiven(name) && o.has(other.get()) && !o.isGiven(other.get()) ? reason : "");
    }

    /** A copy that is refused beside this flag of the command, because it would have no effect. */
    public Option<T> uselessWith(Option<Boolean> flag) {
        return refusedIf(o -> o.isGiven(name) && o.get(flag) ? "has no effect with " + flag : "");
    }

    /** The options of several lists, one after another. */
    @SafeVarargs
    public static List<Option<?>> join(List<? extends Option<?>>... lists) {
        List<Option<?>> all = new ArrayList<>();
        for (List<? extends Option<?>> list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }

    /** Options are constants: each is equal only to itself, which also keeps the start of a command fast. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** A copy that the help and completion leave out. */
    public Option<T> hidden() {
        return help(group, "");
    }

    /** Whether the help has no words for it, so that it leaves it out, as completion does. */
    public boolean isHidden() {
        return brief.isEmpty();
    }

    public boolean isFlag() {
        return label.isEmpty();
    }

    /** Whether its values name files. */
    public boolean isFile() {
        return label.equals(FILE);
    }

    @Override
    public String toString() {
        return "--" + name;
    }
}
