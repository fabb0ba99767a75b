package io.pgstress.runner;

import io.pgstress.dataset.RunLock;
import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.check.WriteChecks;
import io.pgstress.plan.RunOptions;
import io.pgstress.result.Remark;
import io.pgstress.runner.CopyReset.TableUse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this process does with the tables of the run: it prepares, resets and checks them. */
class TableDuty implements AutoCloseable {
    private final List<Operation> all;
    private final CopyReset copy;
    private final WriteChecks writes;
    private final TableUse run;
    private @Nullable RunLock lock;

    /** @param all the operations */
    TableDuty(List<Operation> all, CopyReset copy, WriteChecks writes, TableUse run) {
        this.all = all;
        this.copy = copy;
        this.writes = writes;
        this.run = run;
    }

    void lockAndCreate() {
        lock = RunLock.take(
                run.target().first().connector(),
                run.id(),
                all.stream()
                        .flatMap(o -> o.profile().claims().stream())
                        .distinct()
                        .toList());
        copy.create();
    }

    /** Makes the ids of these operations available again. */
    void reset(List<Operation> some) {
        if (!writes.isEmpty()) {
            run.control().close(); // the server may count what a session did only when the session ends
            run.control().prepare(writes::settleBeforeReset);
        }
        copy.reset();
        if (!run.spec().get(RunOptions.NO_RESET)) {
            run.control().prepare(some, operation -> operation::resetTables);
        }
        run.control().close();
        some.forEach(Operation::rewind);
        if (!writes.isEmpty()) {
            run.control().prepare(writes::begin);
            run.control().close();
        }
    }

    /** The queries that check the tables after the load, in addition to those of single checks. */
    List<TableCheck.Query> ofTables() {
        List<TableCheck.Query> checks = new ArrayList<>();
        if (!writes.isEmpty()) {
            checks.add(writes::finish);
        }
        if (copy.isReset()) {
            checks.add(copy.conflict());
        }
        return checks;
    }

    Stream<TableCheck.Query> queries(TableCheck check) {
        if (check instanceof TableCheck.ByQuery own) {
            return Stream.of(control -> writes.ofOwn(own, control));
        }
        return check instanceof TableCheck.Local local ? Stream.of(unused -> local.found()) : Stream.of();
    }

    List<Remark> warnings() {
        List<Remark> warnings = new ArrayList<>();
        warnings.addAll(writes.impossible());
        warnings.addAll(copy.unlike());
        warnings.addAll(LoadHazards.find(all, run.spec(), run.target()));
        return warnings;
    }

    @Override
    public void close() {
        if (lock != null) {
            lock.close();
        }
    }

    /** The tables as the command of a fleet has prepared them; the command also resets and checks them. */
    static final class OfCommand extends TableDuty {
        OfCommand(List<Operation> all, CopyReset copy, WriteChecks writes, TableUse run) {
            super(all, copy, writes, run);
        }

        @Override
        void lockAndCreate() {}

        @Override
        void reset(List<Operation> some) {
            super.copy.takeSlice();
            some.forEach(Operation::rewind);
            WriteChecks.forgetRows(super.all);
        }

        @Override
        List<TableCheck.Query> ofTables() {
            return List.of();
        }

        @Override
        Stream<TableCheck.Query> queries(TableCheck check) {
            return check instanceof TableCheck.Local local ? Stream.of(unused -> local.found()) : Stream.of();
        }

        @Override
        List<Remark> warnings() {
            return List.of();
        }
    }
}
