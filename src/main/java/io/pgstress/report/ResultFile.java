package io.pgstress.report;

import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Results read back from files. */
public final class ResultFile {
    private ResultFile() {}

    /**
     * The result in a file.
     *
     * @throws IOException where the file cannot be read
     * @throws TextException where it is no result of this program, or of a newer form; the message names the file
     */
    public static RunResult read(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            check(Json.readMap(text));
            return Json.read(text, RunResult.class);
        } catch (MalformedInputException e) {
            throw new TextException(file + ": is no text");
        } catch (TextException e) {
            throw new TextException(file + ": " + e.getMessage());
        }
    }

    private static void check(Map<String, Object> json) {
        Object schema = json.get("schema");
        if (!(schema instanceof Integer number) || !json.containsKey("operations")) {
            throw new TextException("is no result of pgstress: it has no schema and operations");
        }
        if (number > RunResult.SCHEMA) {
            throw new TextException("is of schema " + number + ", but this program knows schema " + RunResult.SCHEMA
                    + " only; use a newer one");
        }
    }
}
