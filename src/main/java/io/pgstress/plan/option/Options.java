package io.pgstress.plan.option;

import io.pgstress.text.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of all options of a command, each read once. Immutable; equal if all texts are. */
public final class Options {
    /** One option's value; a wrong one was refused, and is the default meanwhile. */
    private record Entry(Option<?> option, List<String> texts, Object value, boolean isGiven, boolean isWrong) {}

    private final Map<String, Entry> entries;

    private Options(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads what was given.
     *
     * @param known every option of the command
     * @param given texts by the options' names; what is not known is a problem
     * @param defaults the command's own, in the place of the options' own defaults, by name
     * @param problems takes everything that is wrong
     */
    public static Options read(
            List<? extends Option<?>> known,
            Map<String, List<String>> given,
            Map<String, String> defaults,
            Problems problems) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Option<?> option : known) {
            String otherDefault = defaults.get(option.name());
            List<String> byDefault = otherDefault == null ? option.defaults() : List.of(otherDefault);
            List<String> texts = given.get(option.name());
            entries.put(
                    option.name(),
                    texts == null
                            ? new Entry(option, byDefault, value(option, byDefault), false, false)
                            : entry(option, texts, byDefault, problems));
        }
        for (String name : given.keySet()) {
            if (!entries.containsKey(name)) {
                String instead = OptionNames.instead(name, entries.keySet());
                problems.add(
                        name,
                        instead.isEmpty()
                                ? "is not an option" + Nearest.hint(OptionNames.meant(name, entries.keySet()))
                                : instead);
            }
        }
        Options options = new Options(entries);
        options.objections(problems);
        return options;
    }

    private static Entry entry(Option<?> option, List<String> texts, List<String> byDefault, Problems problems) {
        List<String> copy = List.copyOf(texts);
        try {
            return new Entry(option, copy, value(option, copy), true, false);
        } catch (InvalidPlanException e) {
            problems.addAll(e.problems().stream()
                    .map(each -> Secrets.inMessage(each, texts))
                    .toList());
        } catch (IllegalArgumentException e) {
            problems.add(option, Secrets.inMessage(String.valueOf(e.getMessage()), texts));
        }
        return new Entry(option, copy, value(option, byDefault), true, true);
    }

    private static Object value(Option<?> option, List<String> texts) {
        return option.reader().apply(texts);
    }

    private void objections(Problems problems) {
        for (Entry entry : entries.values()) {
            String objection = entry.isWrong ? "" : entry.option.objection().apply(this);
            if (!objection.isEmpty()) {
                problems.add(entry.option, objection);
            }
        }
    }

    /** The option's value, as given or by default. */
    @SuppressWarnings("unchecked") // the option itself read the value
    public <T> T get(Option<T> option) {
        return (T) entry(option).value;
    }

    /** Whether it was given, be it with its default. */
    public boolean isGiven(Option<?> option) {
        return entry(option).isGiven;
    }

    boolean isGiven(String name) {
        Entry entry = entries.get(name);
        return entry != null && entry.isGiven;
    }

    /** Whether the command has this option. */
    public boolean has(Option<?> option) {
        return entries.containsKey(option.name());
    }

    /** Whether it was given with something other than its default. */
    public boolean isOther(Option<?> option) {
        return isGiven(option) && !entry(option).texts.equals(option.defaults());
    }

    /** Whether its text could not be read. */
    public boolean isWrong(Option<?> option) {
        return entry(option).isWrong;
    }

    private Entry entry(Option<?> option) {
        Entry entry = entries.get(option.name());
        if (entry == null) {
            throw new IllegalArgumentException("this command has no option " + option);
        }
        return entry;
    }

    /** Those that were given, in the order in which the command knows them. */
    public List<Option<?>> given() {
        List<Option<?>> given = new ArrayList<>();
        entries.values().stream().filter(Entry::isGiven).forEach(e -> given.add(e.option));
        return given;
    }

    /** A copy with another value of one option. */
    public Options with(Option<?> option, String text) {
        Map<String, Entry> others = new LinkedHashMap<>(entries);
        List<String> texts = List.of(text);
        others.put(option.name(), new Entry(option, texts, value(option, texts), entry(option).isGiven, false));
        return new Options(others);
    }

    /** Every option as text, as given or by default, for reports; options without a value are missing. */
    public Map<String, List<String>> texts() {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        entries.forEach((name, entry) -> {
            if (!entry.texts.isEmpty()) {
                texts.put(name, entry.texts);
            }
        });
        return texts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Options options && texts().equals(options.texts());
    }

    @Override
    public int hashCode() {
        return texts().hashCode();
    }

    @Override
    public String toString() {
        return texts().toString();
    }
}
