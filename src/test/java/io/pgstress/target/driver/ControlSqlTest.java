package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Transactions of control connections that fail. */
final class ControlSqlTest {
    private static final String END_OF_SESSION = "select pg_terminate_backend(pg_backend_pid())";

    @Test
    void queryIsRolledBack() throws SQLException {
        try (Connection control = DriverManager.getConnection(TestServer.maintenanceUrl())) {
            String found = ControlSql.rolledBack(control, () -> {
                ControlSql.execute(control, "create temporary table gone (id int)");
                return "found";
            });
            assertThat(found).isEqualTo("found");
            assertThat(control.getAutoCommit()).isTrue();
            assertThat(ControlSql.exists(control, "select 1 from pg_class where relname = 'gone'"))
                    .isFalse();
        }
    }

    /** The connection is gone, so that it can neither be rolled back nor be used in autocommit mode. */
    @Test
    void rollbackThatFailsDoesNotHideWhy() throws SQLException {
        try (Connection control = DriverManager.getConnection(TestServer.maintenanceUrl())) {
            assertThatThrownBy(() -> ControlSql.rolledBack(control, () -> ControlSql.text(control, END_OF_SESSION)))
                    .hasMessageContaining("terminating connection due to administrator command")
                    .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
        }
        try (Connection control = DriverManager.getConnection(TestServer.maintenanceUrl())) {
            assertThatThrownBy(
                            () -> ControlSql.inTransaction(control, () -> ControlSql.execute(control, END_OF_SESSION)))
                    .hasMessageContaining("terminating connection due to administrator command")
                    .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
        }
    }
}
