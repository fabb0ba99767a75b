package io.pgstress.fleet;

import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.UpdatedIds;
import io.pgstress.operation.WriteSums;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import java.util.List;

/**
 * The acknowledged writes of a run's operations, in an order that is the same on all hosts.
 *
 * @param tallies of all checks
 * @param updated the updated ids of those that record them
 */
public record Acknowledged(List<WriteTallies> tallies, List<UpdatedIds> updated) {
    public static Acknowledged of(List<Operation> operations) {
        List<TableCheck> checks =
                operations.stream().flatMap(o -> o.checks().stream()).toList();
        return new Acknowledged(
                checks.stream().flatMap(c -> c.acknowledged().stream()).toList(),
                checks.stream()
                        .filter(Writes.class::isInstance)
                        .map(c -> ((Writes) c).touched())
                        .toList());
    }

    /** What this host's clients wrote. */
    public List<WriteSums> own() {
        return tallies.stream().map(WriteTallies::own).toList();
    }

    /** Records that another host was lost. */
    public void lost(int host) {
        tallies.forEach(t -> t.lost(host));
    }

    /** Replaces what is known of another host. Sums that do not match the checks are left out. */
    public void ofHost(int host, List<WriteSums> sums) {
        for (int i = 0; i < Math.min(sums.size(), tallies.size()); i++) {
            tallies.get(i).ofHost(host, sums.get(i));
        }
    }
}
