package io.pgstress.runner;

import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.target.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Known problems of inserts on this kind of server, which a session of the load reads before the load. */
final class Hazards {
    private Hazards() {}

    /** One line each; empty if the operations insert nothing. */
    static List<String> of(RunSpec spec, Target target, List<Operation> operations) {
        boolean areInserts = operations.stream()
                .flatMap(o -> o.statements(0).stream())
                .anyMatch(s -> SqlVerb.of(s.text()).word().equals("insert"));
        if (!areInserts) {
            return List.of();
        }
        boolean isTransaction = spec.get(RunOptions.TRANSACTION)
                || operations.stream()
                        .anyMatch(o -> o.profile().isTransaction()
                                && o.checks().stream().anyMatch(Hazards::isInsert));
        try (Connection load = target.first().connector().open()) {
            return target.dialect().sessions().hazards(load, spec.statement(), isTransaction);
        } catch (SQLException e) {
            throw Target.unreachable(target.first().connector().endpoint(), e);
        }
    }

    private static boolean isInsert(TableCheck check) {
        return check instanceof Writes writes && writes.kind() == Writes.Kind.INSERT;
    }
}
