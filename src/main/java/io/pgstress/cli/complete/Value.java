package io.pgstress.cli.complete;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What a shell can propose for a value.
 *
 * @param words the words that it is, or that it is made of; empty unless the kind has words
 */
record Value(Kind kind, List<String> words) {
    static final Value NONE = new Value(Kind.NONE, List.of());

    /** What the help calls files. */
    private static final List<String> FILES = List.of("FILE", "DUMP", "RESULT");

    /** A flag's, which has a value only in a variant. */
    private static final Value FLAG = new Value(Kind.WORDS, List.of("true", "false"));

    enum Kind {
        /** Nothing, such as for a number. */
        NONE,
        /** One of the words. */
        WORDS,
        /** Some of the words, with commas between them. */
        LIST,
        /** Operations with weights: {@code find_first:3,find_update}. */
        MIX,
        /** {@code OPTION=VALUE,VALUE}; the words are the options, without dashes. */
        VARIANTS,
        /** A file, or one of the words. */
        FILE,
        DIRECTORY,
        /** A YAML scenario. */
        SCENARIO,
        /** A table of the database that the command line names. */
        TABLE
    }

    /** The value of an option or argument, by its words and by what the help calls it. */
    static Value of(ArgSpec arg) {
        if (arg.arity().max() == 0) {
            return FLAG;
        }
        String label = arg.paramLabel();
        List<String> words = new ArrayList<>();
        if (arg.completionCandidates() != null) {
            arg.completionCandidates().forEach(words::add);
        }
        Stream.of(label.split("\\|", -1))
                .filter(part -> part.matches("[a-z-]+") && !words.contains(part))
                .forEach(words::add);
        return new Value(kind(arg, label, words), List.copyOf(words));
    }

    private static Kind kind(ArgSpec arg, String label, List<String> words) {
        if (arg instanceof OptionSpec option && option.longestName().equals("--table")) {
            return Kind.TABLE;
        }
        if (label.startsWith("OPTION=")) {
            return Kind.VARIANTS;
        }
        List<String> parts = List.of(label.split("\\|", -1));
        if (parts.contains("SCENARIO")) {
            return Kind.SCENARIO;
        }
        if (parts.contains("DIR")) {
            return Kind.DIRECTORY;
        }
        if (parts.stream().anyMatch(FILES::contains)) {
            return Kind.FILE;
        }
        if (words.isEmpty()) {
            return Kind.NONE;
        }
        return label.contains(":WEIGHT") ? Kind.MIX : label.endsWith(",...") ? Kind.LIST : Kind.WORDS;
    }
}
