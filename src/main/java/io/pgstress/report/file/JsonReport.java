package io.pgstress.report.file;

import io.pgstress.result.Result;
import io.pgstress.text.Json;
import java.io.IOException;
import java.util.List;

/** The whole result as one JSON object. */
public final class JsonReport implements ReportWriter {
    @Override
    public String name() {
        return "json";
    }

    @Override
    public String description() {
        return "The complete result; all other formats can be made from it later.";
    }

    @Override
    public boolean takesSeveral() {
        return false;
    }

    @Override
    public boolean takesRunsOnly() {
        return false;
    }

    @Override
    public void write(List<? extends Result> results, Appendable out) throws IOException {
        if (results.size() != 1) {
            throw new IllegalArgumentException("JSON contains one result, not " + results.size());
        }
        out.append(Json.write(results.get(0)));
    }
}
