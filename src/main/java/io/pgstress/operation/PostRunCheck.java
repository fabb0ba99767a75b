package io.pgstress.operation;

/**
 * The result of a check of the tables after a load.
 *
 * @param text the finding, in one line
 */
public record PostRunCheck(boolean holds, String text) {}
