package io.pgstress.runner;

import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Known problems of inserts and updates on this kind of server, which a session of the load reads before the load. */
final class Hazards {
    private Hazards() {}

    /** One line each; empty if the operations neither insert nor update. */
    static List<String> of(RunSpec spec, Target target, List<Operation> operations) {
        Set<String> verbs = operations.stream()
                .flatMap(o -> o.statements(0).stream())
                .map(s -> SqlVerb.of(s.text()).word())
                .collect(Collectors.toSet());
        if (!verbs.contains("insert") && !verbs.contains("update")) {
            return List.of();
        }
        boolean isTransaction = spec.get(RunOptions.TRANSACTION)
                || operations.stream()
                        .anyMatch(o -> o.profile().isTransaction()
                                && o.checks().stream().anyMatch(Hazards::isInsert));
        try (Connection load = target.first().connector().open()) {
            Sessions sessions = target.dialect().sessions();
            List<String> found = new ArrayList<>();
            if (verbs.contains("insert")) {
                found.addAll(sessions.hazards(load, spec.statement(), isTransaction));
            }
            if (verbs.contains("update")) {
                found.addAll(sessions.updateHazards(load, target.nodes().size()));
            }
            return found;
        } catch (SQLException e) {
            throw Target.unreachable(target.first().connector().endpoint(), e);
        }
    }

    private static boolean isInsert(TableCheck check) {
        return check instanceof Writes writes && writes.kind() == Writes.Kind.INSERT;
    }
}
