package io.pgstress.report.format;

import io.pgstress.result.Result.Verdict;
import java.util.Locale;
import java.util.Map;

/** How errors, warnings and validity stand out: by colors (SGR sequences of ECMA-48), or not at all. */
public enum Style {
    PLAIN,
    COLORED;

    /** When to use colors; the values of {@code --color}. */
    public enum When {
        /** On a terminal, unless {@code NO_COLOR} is set (no-color.org) or {@code TERM} is {@code dumb}. */
        AUTO,
        ALWAYS,
        NEVER;

        /** The value with this name; {@link #AUTO} if there is none. */
        public static When named(String name) {
            for (When each : values()) {
                if (each.name().equals(name.toUpperCase(Locale.ROOT))) {
                    return each;
                }
            }
            return AUTO;
        }
    }

    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";

    /** The style of a stream. */
    public static Style of(When when, boolean isTerminal, Map<String, String> environment) {
        boolean isWanted = isTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return when == When.ALWAYS || (when == When.AUTO && isWanted) ? COLORED : PLAIN;
    }

    public String error(String text) {
        return colored(RED, text);
    }

    public String warning(String text) {
        return colored(YELLOW, text);
    }

    /** A text about a result that can be used, or not. */
    public String validity(Verdict verdict, String text) {
        return switch (verdict) {
            case VALID -> colored(GREEN, text);
            case VALID_WITH_WARNINGS -> warning(text);
            case NOT_VALID -> error(text);
        };
    }

    private String colored(String color, String text) {
        return this == PLAIN ? text : "\u001b[" + color + "m" + text + "\u001b[0m";
    }
}
