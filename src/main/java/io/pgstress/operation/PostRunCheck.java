package io.pgstress.operation;

/**
 * Something that was to hold in the tables after a load.
 *
 * @param text what was found, in one line
 */
public record PostRunCheck(boolean holds, String text) {}
