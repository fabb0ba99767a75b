package io.pgstress.session;

import io.pgstress.dataset.Table;
import io.pgstress.plan.RunSpec;
import io.pgstress.target.Target;
import io.pgstress.target.embedded.ServerBuild;
import org.jspecify.annotations.Nullable;

/**
 * A run that can start: its servers answer, its settings take effect, and its table has been read.
 *
 * @param spec names servers and a table
 * @param build the programs of its server, if that is temporary; null otherwise
 */
public record PreparedRun(
        RunSpec spec, Target target, Table table, @Nullable ServerBuild build) {}
