package io.pgstress.target.pool;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;

/** Keeps HikariCP from throwing away connections whose session the server goes on serving. */
final class AliveOverride implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException e) {
        return ServerErrors.sessionIsAlive(e) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
    }
}
