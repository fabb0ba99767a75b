package io.pgstress.target.statement;

/** Receives the plans of statements. */
@FunctionalInterface
public interface PlanSink {
    /** @param operation, statement the numbers of the operation and of the statement in it */
    void planned(int operation, int statement, ModePlan plan);
}
