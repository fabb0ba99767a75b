package io.pgstress.target.statement;

/** Takes the plans of statements. */
@FunctionalInterface
public interface PlanSink {
    /** @param operation, statement the numbers that the statement was made with */
    void planned(int operation, int statement, ModePlan plan);
}
