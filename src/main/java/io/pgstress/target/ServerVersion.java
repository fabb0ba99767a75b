package io.pgstress.target;

import java.sql.Connection;
import java.sql.SQLException;

/** Features by server version. Greenplum 6 is based on PostgreSQL 9.4. */
public final class ServerVersion {
    private ServerVersion() {}

    /** Whether it is PostgreSQL 9.5 or newer, which has ON CONFLICT and TABLESAMPLE. */
    public static boolean hasOnConflict(Connection connection) throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        return major > 9 || (major == 9 && connection.getMetaData().getDatabaseMinorVersion() >= 5);
    }
}
