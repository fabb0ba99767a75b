package io.pgstress.report.file;

import io.pgstress.result.Comparison;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Inline;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads results from files, which may be compressed with gzip. */
public final class ResultFile {
    /** How pages begin. */
    private static final String HTML = "<!doctype html";

    /** How to make what a file should have been. */
    private static final String MADE_BY = "; make one with --json FILE";

    private ResultFile() {}

    /**
     * Reads a result from a file.
     *
     * @throws IOException if the file cannot be read
     * @throws TextException if it is not a result of this program or has a newer format; the message names the file
     * @throws ContradictionException if its figures contradict each other
     */
    public static Result read(Path file) throws IOException {
        Result result = parsed(file);
        Optional<String> contradiction = Contradictions.first(result);
        if (contradiction.isPresent()) {
            throw new ContradictionException(file, contradiction.get());
        }
        return result;
    }

    /**
     * Reads a result, whose figures may contradict each other.
     *
     * @throws IOException if the file cannot be read
     * @throws TextException if it is not a result
     */
    static Result parsed(Path file) throws IOException {
        try {
            String text = TextFile.readUnpacked(file, TextFile.RESULT);
            if (text.regionMatches(true, 0, HTML, 0, HTML.length())) {
                throw new TextException("is a page, which was made from a result's JSON file (--json); give that file");
            }
            Class<? extends Result> type = type(map(text));
            return Json.read(text, type);
        } catch (FileSystemException e) {
            throw e;
        } catch (MalformedInputException e) {
            throw new TextException(file + ": is not a text file, nor a result of pgstress" + MADE_BY);
        } catch (TextException e) {
            throw TextException.in(file.toString(), e);
        } catch (IOException e) {
            throw new FileSystemException(file.toString(), null, String.valueOf(e.getMessage()));
        } catch (OutOfMemoryError e) {
            throw new TextException(String.format(
                    Locale.ROOT,
                    "%s: does not fit into the heap of %,d MiB; use a larger heap (STRESS_JAVA_OPTS=-Xmx...)",
                    file,
                    Runtime.getRuntime().maxMemory() >> 20));
        }
    }

    /** Whether a file has the form of a result, complete or not; false also if it cannot be read. */
    public static boolean isResult(Path file) {
        try {
            Map<String, Object> json = Json.readBeginning(TextFile.readUnpacked(file, TextFile.RESULT));
            return json.get("schema") instanceof Integer && json.containsKey("run");
        } catch (IOException | TextException e) {
            return false; // who wants to read it finds out why
        }
    }

    private static Map<String, Object> map(String text) {
        int begin = 0;
        while (begin < text.length() && Character.isWhitespace(text.charAt(begin))) {
            begin++;
        }
        if (begin == text.length() || text.charAt(begin) != '{') {
            throw new TextException("is not a result of pgstress" + MADE_BY);
        }
        try {
            return Json.readMap(text);
        } catch (TextException e) {
            String place = e.place().isEmpty() ? "" : " (" + e.place() + ")";
            throw new TextException(
                    "is damaged or not complete" + place + ", or not a result of pgstress" + MADE_BY, e);
        }
    }

    private static Class<? extends Result> type(Map<String, Object> json) {
        Object kind = json.getOrDefault("kind", "");
        if (kind.equals(Comparison.KIND)) {
            return checked(json, Comparison.SCHEMA, Comparison.class);
        }
        if (kind.equals(Scaling.KIND)) {
            return checked(json, Scaling.SCHEMA, Scaling.class);
        }
        if (kind.equals(RateSearch.KIND)) {
            return checked(json, RateSearch.SCHEMA, RateSearch.class);
        }
        if (kind.equals(Rehearsal.KIND)) {
            return checked(json, Rehearsal.SCHEMA, Rehearsal.class);
        }
        if (!json.containsKey("operations")) {
            throw new TextException("is not a result of pgstress: it has neither a kind nor operations" + MADE_BY);
        }
        return checked(json, RunResult.SCHEMA, RunResult.class);
    }

    private static Class<? extends Result> checked(Map<String, Object> json, int known, Class<? extends Result> type) {
        if (!(json.get("schema") instanceof Integer schema)) {
            throw new TextException("is not a result of pgstress: it has no schema" + MADE_BY);
        }
        if (schema > known) {
            throw new TextException(
                    "has schema " + schema + ", but this version reads only schema " + known + "; use a newer version");
        }
        names(type).filter(name -> json.get(name) == null).findFirst().ifPresent(name -> {
            throw new TextException("is not a complete result of pgstress: it has no " + name);
        });
        return type;
    }

    /** What the JSON of a record always has: its components that cannot be null. */
    private static Stream<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .flatMap(component -> component.isAnnotationPresent(Inline.class)
                        ? names(component.getType())
                        : Stream.of(component.getName()));
    }
}
