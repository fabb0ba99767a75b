package io.pgstress.target.pooler;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;

/** How sessions get their settings: as startup options, or by SQL if a pooler refuses those. */
public final class StartupSettings {
    private StartupSettings() {}

    /**
     * The connector as it is, or one that sets by SQL.
     *
     * @param url the server's masked URL, for messages
     * @param sharesSessions whether sessions are shared per transaction, so that settings made by SQL would apply to other
     *     clients
     * @throws TargetException if startup options are refused and SQL cannot replace them
     */
    public static Connector fitting(Connector connector, String url, boolean sharesSessions) {
        if (connector.settings().isEmpty()) {
            return connector;
        }
        try (Connection tried = connector.open()) {
            return connector;
        } catch (SQLException e) {
            if (!PoolerErrors.refusesOptions(e)) {
                return connector; // SettingsCheck reports what else is wrong, by setting
            }
            if (sharesSessions) {
                throw new TargetException(
                        url + " cannot keep the settings of a session ("
                                + String.join(", ", connector.settings().keySet())
                                + "): a transaction pooler refuses startup options (" + ServerErrors.sampleOf(e)
                                + "), and SET would affect another client's session; use session pooling, or set them for the"
                                + " role (alter role ... set ...) or in the server's configuration",
                        e);
            }
            return connector.settingBySql();
        }
    }
}
