package io.pgstress.plan;

/** What the copy table is filled with before a run. */
public enum CopyContent {
    NONE,
    EMPTY,
    FULL
}
