package io.pgstress.report;

/** A line of a report: what it is about, and what is said of it. */
record Fact(String label, String text) {}
