package io.pgstress.plan.option;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The forms of values that several options have. */
public final class Forms {
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_.]+=[A-Za-z0-9_.]+");

    private Forms() {}

    /** The text itself. */
    public static String text(String text) {
        return text;
    }

    /** An int of this range; {@code _} may separate digits. */
    public static Form<Integer> integer(int min, int max) {
        Form<Long> whole = whole(min, max);
        return text -> whole.read(text).intValue();
    }

    /** A long of this range; {@code _} may separate digits. */
    public static Form<Long> whole(long min, long max) {
        return text -> {
            long value;
            try {
                value = Long.parseLong(text.replace("_", ""));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number, was '" + text + "'", e);
            }
            if (value < min || value > max) {
                throw new IllegalArgumentException(
                        value < min
                                ? "must be at least " + min + ", was " + value
                                : "must be at most " + max + ", was " + value);
            }
            return value;
        };
    }

    /** A length of time longer than 0. */
    public static Duration positiveDuration(String text) {
        Duration duration = Durations.parse(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("must be longer than 0");
        }
        return duration;
    }

    /** A share from 0 to 1: {@code 1%} or {@code 0.01}. */
    public static double share(String text) {
        double share = Percent.parse(text);
        if (share < 0 || share > 1) {
            throw new IllegalArgumentException("must be a share from 0 to 100%, was '" + text + "'");
        }
        return share;
    }

    /** A constant by its name, in letters of any case. */
    public static <E extends Enum<E>> Form<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        List<String> names = Arrays.stream(constants)
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .toList();
        Form<String> choice = choice(names);
        return Form.ofWords(names, text -> constants[names.indexOf(choice.read(text.toLowerCase(Locale.ROOT)))]);
    }

    public static Form<String> choice(List<String> words) {
        return Form.ofWords(words, text -> {
            if (!words.contains(text)) {
                throw new IllegalArgumentException("must be one of " + String.join(", ", words) + ", was '" + text + "'"
                        + Nearest.hint(text, words));
            }
            return text;
        });
    }

    /**
     * Reads each text.
     *
     * @throws IllegalArgumentException with everything that is wrong
     */
    public static <T> List<T> each(Form<T> form, List<String> texts) {
        List<T> values = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (String text : texts) {
            try {
                values.add(form.read(text.trim()));
            } catch (IllegalArgumentException e) {
                wrong.add(String.valueOf(e.getMessage()));
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
        return List.copyOf(values);
    }

    /** Texts separated by commas, without the empty ones. */
    public static List<String> list(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::trim)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    /** Parameters as in {@code WITH (...)} of CREATE TABLE, separated by commas, without quotes. */
    public static String parameters(String text) {
        List<String> all = list(text.replace(" ", ""));
        all.stream()
                .filter(each -> !PARAMETER.matcher(each).matches())
                .findFirst()
                .ifPresent(wrong -> {
                    throw new IllegalArgumentException("must be NAME=VALUE,..., was '" + wrong + "'");
                });
        return String.join(", ", all);
    }

    /** Nothing for an empty text. */
    public static <T> Form<Optional<T>> optional(Form<T> form) {
        return Form.ofWords(form.words(), text -> text.isEmpty() ? Optional.empty() : Optional.of(form.read(text)));
    }

    /** The name of a file or directory, which need not exist. */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(unusable(e), e);
        }
    }

    /** Why a name of a file cannot be used. */
    public static String unusable(InvalidPathException e) {
        return e.getInput() + ": " + e.getReason() + ": file names are read and written in "
                + System.getProperty("sun.jnu.encoding") + " here; for others run with LC_ALL=C.UTF-8";
    }

    /** Why a file cannot be read, in words that follow "cannot be read: "; the exceptions give only their class and the name. */
    public static String unreadable(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission is denied";
        }
        return e instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(e.getMessage());
    }

    /** The name of a file that can be read. */
    public static Path readable(String text) {
        Path path = path(text);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(text + " cannot be read: "
                    + (Files.exists(path) ? "permission is denied" : "there is no such file"));
        }
        return path;
    }
}
