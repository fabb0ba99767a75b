package io.pgstress.probe;

import io.pgstress.dataset.RowSecurity;
import io.pgstress.dataset.Table.RowIds;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

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
        if (isAnswered) {
            servers.first().query(this::security, Optional.<Remark>empty()).ifPresent(findings.evidence()::caution);
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

    /** The remark on the policies of the table that apply to the session's role; empty if none do. */
    private Optional<Remark> security(Connection control) throws SQLException {
        TableName table = run.table().name();
        return RowSecurity.isActive(control, table)
                ? Optional.of(RemarkCode.ROW_SECURITY
                        .with("table", table.toString())
                        .with("role", RowSecurity.role(control))
                        .with("policies", RowSecurity.policies(control, table).orElse(null))
                        .remark())
                : Optional.empty();
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
