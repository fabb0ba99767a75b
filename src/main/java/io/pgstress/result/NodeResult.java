package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One coordinator's share of the load. */
public record NodeResult(
        String url,
        int clients,
        Map<String, OperationResult> operations,
        @Nullable Network network) {}
