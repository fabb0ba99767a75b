package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.plan.RunSpec;
import io.pgstress.target.Target;

/**
 * A run that can start: its servers answer, its settings take effect, and its table has been read.
 *
 * @param spec names servers and a table
 */
public record PreparedRun(RunSpec spec, Target target, Table table) {}
