package io.pgstress.importer;

import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import org.jspecify.annotations.Nullable;

/**
 * What an import was asked to do, and where.
 *
 * @param verifier compares the tables with the input; null if they are not to be compared
 */
record ImportJob(
        Connector connector,
        Dialect dialect,
        ImportOptions options,
        ImportListener listener,
        @Nullable TableVerifier verifier) {}
