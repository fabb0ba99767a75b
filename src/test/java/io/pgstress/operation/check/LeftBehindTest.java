package io.pgstress.operation.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.check.WriteChecks.LeftBehind;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeftBehindTest {
    private static final PreparedTransaction OLD = new PreparedTransaction("dn1", "_$XC$1", "2026-01-01");
    private static final PreparedTransaction NEW = new PreparedTransaction("dn1", "_$XC$2", "2026-01-02");
    private static final PreparedTransaction OF_USER = new PreparedTransaction("dn1", "mine", "2026-01-02");

    private final List<PreparedTransaction> there = new ArrayList<>();
    private final LeftBehind leftBehind = new LeftBehind(new Dialect() {
        @Override
        public String name() {
            return "cluster";
        }

        @Override
        public boolean recognises(Connection connection) {
            return true;
        }

        @Override
        public List<PreparedTransaction> prepared(Connection connection) {
            return List.copyOf(there);
        }

        @Override
        public boolean isOfServers(PreparedTransaction transaction) {
            return transaction.gid().startsWith("_$XC$");
        }
    });

    @Test
    void onlyTransactionsPreparedDuringTheRunAreReported() throws SQLException {
        there.add(OLD);
        List<Remark> found = finish(NEW, OF_USER);
        assertThat(found).singleElement().satisfies(check -> {
            assertThat(check.code()).isEqualTo(RemarkCode.PREPARED_LEFT);
            assertThat(check.figures())
                    .containsEntry("transactions", 1L)
                    .containsEntry("gid", "_$XC$2")
                    .containsEntry("node", "dn1");
        });
    }

    @Test
    void transactionsFromBeforeTheRunAreNotReported() throws SQLException {
        there.add(OLD);
        assertThat(finish(OF_USER)).isEmpty();
    }

    private List<Remark> finish(PreparedTransaction... more) throws SQLException {
        try (Connection control =
                TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL)) {
            leftBehind.begin(control);
            there.addAll(List.of(more));
            return leftBehind.finish(control);
        }
    }
}
