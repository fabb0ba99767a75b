package io.pgstress.probe;

import io.pgstress.dataset.RowSecurity;
import io.pgstress.dataset.Table.RowIds;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;

/** The number of rows in the table after the load. */
public record TableRows(RunContext run, Servers servers) implements Probe {
    /** Shorter than the time that {@link Servers} waits for an answer. */
    private static final String MAX_COUNTING = "8s";

    private static final long UNKNOWN = -1;

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        boolean isAnswered = servers.haveAllAnswered();
        long rows = isAnswered ? servers.first().query(this::rows, UNKNOWN) : UNKNOWN;
        findings.rowsAfter(rows);
        if (rows > run.table().rows() && addsNone()) {
            findings.evidence()
                    .caution(RemarkCode.TABLE_GREW
                            .with("table", run.table().name().toString())
                            .with("added", rows - run.table().rows())
                            .remark());
        }
        String role = isAnswered ? servers.first().query(this::limitedRole, "") : "";
        if (!role.isEmpty()) {
            findings.evidence()
                    .caution(RemarkCode.ROW_SECURITY
                            .with("table", run.table().name().toString())
                            .with("role", role)
                            .remark());
        }
        RowIds ids = run.table().ids();
        if (ids.missing() + ids.repeated() > 0) {
            findings.evidence()
                    .caution(RemarkCode.IDS_NOT_UNIQUE
                            .with("table", run.table().name().toString())
                            .with("missing", ids.missing())
                            .with("repeated", ids.repeated())
                            .remark());
        }
    }

    /** The session's role, if policies of the table apply to it; empty if none do. */
    private String limitedRole(Connection control) throws SQLException {
        return RowSecurity.isActive(control, run.table().name()) ? RowSecurity.role(control) : "";
    }

    /** Whether no operation of the run may add rows to the table. */
    private boolean addsNone() {
        return run.operations().stream()
                .flatMap(operation -> operation.checks().stream())
                .filter(check -> !(check instanceof TableCheck.Local))
                .allMatch(check ->
                        check instanceof Writes writes && (writes.exclusive() || writes.kind() != Writes.Kind.INSERT));
    }

    /**
     * Fails if the server could not count them in {@value #MAX_COUNTING}: no one waits longer, and the query would disturb the
     * next measurement.
     */
    private long rows(Connection control) throws SQLException {
        return ControlSql.rolledBack(
                control,
                () -> { // otherwise a pooler may lend the session to others in between
                    ControlSql.execute(control, "set local statement_timeout = '" + MAX_COUNTING + "'");
                    return ControlSql.number(
                            control,
                            "select count(*) from " + run.table().name().quoted());
                });
    }
}
