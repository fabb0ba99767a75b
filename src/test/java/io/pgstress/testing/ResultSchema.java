package io.pgstress.testing;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The published form of a result. */
public final class ResultSchema {
    private final Schema schema;

    /** A run's. */
    public ResultSchema() throws IOException {
        this("result");
    }

    /** @param kind {@code result}, {@code comparison} or {@code scaling} */
    public ResultSchema(String kind) throws IOException {
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("docs", kind + ".schema.json")), InputFormat.JSON);
    }

    /** What is wrong with a result; empty where nothing is. */
    public List<String> problems(String json) {
        return schema.validate(json, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }
}
