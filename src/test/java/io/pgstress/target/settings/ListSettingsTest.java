package io.pgstress.target.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.settings.ServerSettings.ListSettings;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Settings that are lists, in the form for ALTER SYSTEM. */
final class ListSettingsTest {
    @Test
    void namesAreSeparateAndInLowerCaseUnlessQuoted() {
        assertThat(ListSettings.elements("Search_Path", "app, Public,\"My, \"\"Own\"\"\" , \"$user\""))
                .containsExactly("app", "public", "My, \"Own\"", "$user");
        assertThat(ListSettings.elements("search_path", "app")).containsExactly("app");
        assertThat(ListSettings.elements("search_path", "")).containsExactly("");
    }

    @Test
    void filesKeepTheirCase() {
        assertThat(ListSettings.elements("session_preload_libraries", "auto_explain, $libdir/My"))
                .containsExactly("auto_explain", "$libdir/My");
    }

    @Test
    void otherValuesAreNotSplit() {
        assertThat(ListSettings.elements("DateStyle", "ISO, DMY")).containsExactly("ISO, DMY");
    }

    @Test
    void serverHasTheSameNumberOfElements() throws SQLException {
        try (Connection connection =
                TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL)) {
            ServerSettings server = new ServerSettings(connection, "server");
            try {
                server.alter("search_path", "\"$user\", public, \"App\"");

                assertThat(server.altered("search_path")).isEqualTo("\"$user\", public, \"App\"");
            } finally {
                server.putBack("search_path", null);
            }
            assertThat(server.altered("search_path")).isNull();
        }
    }
}
