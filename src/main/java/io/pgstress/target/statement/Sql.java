package io.pgstress.target.statement;

/**
 * A statement of an operation.
 *
 * @param name its name in the results, unique within its operation
 * @param text its SQL; parameters are {@code ?}, an operator's question mark is {@code ??}, as in JDBC
 */
public record Sql(String name, String text) {}
