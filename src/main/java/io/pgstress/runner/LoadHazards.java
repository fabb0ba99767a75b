package io.pgstress.runner;

import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.Remark;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Known problems of a load on its kind of server. */
final class LoadHazards {
    private LoadHazards() {}

    /**
     * Known problems of inserts and updates on this kind of server, which a session of the load reads before the load, one line each;
     * empty if the operations neither insert nor update.
     */
    static List<Remark> find(List<Operation> all, RunSpec spec, Target target) {
        Set<String> verbs = all.stream()
                .flatMap(o -> o.statements(0).stream())
                .map(s -> SqlVerb.of(s.text()).word())
                .collect(Collectors.toSet());
        if (Collections.disjoint(verbs, Set.of("insert", "update", "delete"))) {
            return List.of();
        }
        boolean isTransaction = spec.get(RunOptions.TRANSACTION)
                || all.stream()
                        .anyMatch(o -> o.profile().has(OperationTrait.TRANSACTION)
                                && o.checks().stream().anyMatch(LoadHazards::isInsert));
        try (Connection load = target.first().connector().open(SessionPurpose.LOAD)) {
            Dialect sessions = target.dialect();
            List<Remark> found = new ArrayList<>();
            if (verbs.contains("insert")) {
                found.addAll(sessions.hazards(load, spec.statement(), isTransaction));
            }
            if (verbs.contains("update") || verbs.contains("delete")) {
                found.addAll(sessions.changeHazards(load));
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
