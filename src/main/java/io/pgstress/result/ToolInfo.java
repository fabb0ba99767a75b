package io.pgstress.result;

/** The program that measured, and its JDBC driver. */
public record ToolInfo(String version, String commit, String driver) {}
