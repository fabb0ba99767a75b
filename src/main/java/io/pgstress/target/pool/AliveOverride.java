package io.pgstress.target.pool;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;

/** Keeps HikariCP from discarding connections whose session is still alive on the server. */
final class AliveOverride implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException e) {
        return ServerErrors.sessionIsAlive(e) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
    }
}
