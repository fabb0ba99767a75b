package io.pgstress.report;

import io.pgstress.result.Comparison;
import io.pgstress.result.Finding;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Findings read back from files. */
public final class ResultFile {
    private ResultFile() {}

    /**
     * What was found, from a file.
     *
     * @throws IOException where the file cannot be read
     * @throws TextException where it is nothing that this program wrote, or of a newer form; the message names the file
     */
    public static Finding read(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            Class<? extends Finding> type = type(Json.readMap(text));
            return Json.read(text, type);
        } catch (MalformedInputException e) {
            throw new TextException(file + ": is no text");
        } catch (TextException e) {
            throw new TextException(file + ": " + e.getMessage());
        }
    }

    private static Class<? extends Finding> type(Map<String, Object> json) {
        Object kind = json.getOrDefault("kind", "");
        if (kind.equals(Comparison.KIND)) {
            return checked(json, Comparison.SCHEMA, Comparison.class);
        }
        if (kind.equals(Scaling.KIND)) {
            return checked(json, Scaling.SCHEMA, Scaling.class);
        }
        if (!json.containsKey("operations")) {
            throw new TextException("is no result of pgstress: it has neither a kind nor operations");
        }
        return checked(json, RunResult.SCHEMA, RunResult.class);
    }

    private static Class<? extends Finding> checked(
            Map<String, Object> json, int known, Class<? extends Finding> type) {
        if (!(json.get("schema") instanceof Integer schema)) {
            throw new TextException("is no result of pgstress: it has no schema");
        }
        if (schema > known) {
            throw new TextException(
                    "is of schema " + schema + ", but this program knows schema " + known + " only; use a newer one");
        }
        return type;
    }
}
