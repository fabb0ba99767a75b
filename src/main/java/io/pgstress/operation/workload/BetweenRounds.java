package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What happens between two rounds, while all clients pause. Belongs to one thread at a time. */
final class BetweenRounds {
    /** Less than the time after which a run ends because of a long reset. */
    private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    static final Option<Duration> ROUND_PAUSE = Option.of("round-pause", "TIME", BetweenRounds::pause)
            .byDefault("0")
            .refusedIf(o -> o.get(BetweenRounds.ROUND_PAUSE).isZero() ? "" : needsRounds(o))
            .help(Group.WORKLOAD, "Pause between two rounds, after the tables are emptied, at most 5 min.");

    static final Option<Boolean> CHECKPOINT = Option.flag("checkpoint")
            .refusedIf(o -> o.get(BetweenRounds.CHECKPOINT) ? needsRounds(o) : "")
            .help(
                    Group.WORKLOAD,
                    "Runs CHECKPOINT on the first server between two rounds; needs a superuser or, since PostgreSQL 15, a"
                            + " member of pg_checkpoint.");

    /** Predefined roles are missing on older servers. */
    private static final String MAY_CHECKPOINT = """
            select count(*) from pg_roles u where u.rolname = current_user
            and (u.rolsuper or exists (select from pg_roles r where r.rolname = 'pg_checkpoint'
                                       and pg_has_role(u.oid, r.oid, 'usage')))
            """;

    private final OperationType.Context context;
    private boolean hasBegun;

    BetweenRounds(OperationType.Context context) {
        this.context = context;
    }

    private static Duration pause(String text) {
        Duration pause = Durations.parse(text);
        if (pause.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException("must be at most 5 min");
        }
        return pause;
    }

    private static String needsRounds(Options o) {
        return !o.isWrong(RunOptions.ROUND_TIME) && o.get(RunOptions.ROUND_TIME).isZero()
                ? "needs rounds, such as --round-time 1000s"
                : "";
    }

    /** @throws InvalidPlanException if the role may not run CHECKPOINT */
    void checkRights(Connection control) throws SQLException {
        if (context.get(CHECKPOINT) && new OwnTables(control, context).number(MAY_CHECKPOINT) == 0) {
            throw new InvalidPlanException(
                    "checkpoint: this role may not run CHECKPOINT: it must be a superuser or, since"
                            + " PostgreSQL 15, a member of pg_checkpoint (grant pg_checkpoint to ...)");
        }
    }

    /** Called when the tables have been emptied: does nothing before the first round. */
    void pause(Connection control) throws SQLException {
        if (!hasBegun) {
            hasBegun = true;
            return;
        }
        if (context.get(CHECKPOINT)) {
            new OwnTables(control, context).execute("checkpoint");
        }
        try {
            TimeUnit.NANOSECONDS.sleep(context.get(ROUND_PAUSE).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run is to end
        }
    }
}
