package io.pgstress.testing;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The published schema of results. */
public final class ResultSchema {
    private final Schema schema;

    /** The schema of runs. */
    public ResultSchema() throws IOException {
        this("result");
    }

    /** @param kind {@code result}, {@code comparison} or {@code scaling} */
    public ResultSchema(String kind) throws IOException {
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("docs", kind + ".schema.json")), InputFormat.JSON);
    }

    /** The problems of a result; empty if there are none. */
    public List<String> problems(String json) {
        return schema.validate(json, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }
}
