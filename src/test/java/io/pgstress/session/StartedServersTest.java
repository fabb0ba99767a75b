package io.pgstress.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether servers that are compared have the same documents. */
final class StartedServersTest {
    private static final String ORDERS = "public.orders";
    private static final String ROWS = "3 rows, hash 5";

    private final Map<ServerRequest, Map<String, String>> byServer = new LinkedHashMap<>();

    private void server(String build, String dump, Map<String, String> contents) {
        byServer.put(new ServerRequest(build, Map.of(), dump), contents);
    }

    @Test
    void serversOfOneBuildWithDifferentDumpsDiffer() {
        server("17", "a", Map.of(ORDERS, ROWS));
        server("17", "b", Map.of(ORDERS, "3 rows, hash 6"));

        assertThatThrownBy(() -> StartedServers.checkSame(byServer))
                .isInstanceOf(TargetException.class)
                .hasMessageContainingAll(
                        ORDERS, "PostgreSQL 17 with a: " + ROWS, "PostgreSQL 17 with b: 3 rows, hash 6");
    }

    @Test
    void serverWithoutATableOfTheOtherDiffers() {
        server("17", "", Map.of(ORDERS, ROWS, "public.customers", ROWS));
        server("18", "", Map.of(ORDERS, ROWS));

        assertThatThrownBy(() -> StartedServers.checkSame(byServer))
                .isInstanceOf(TargetException.class)
                .hasMessageContainingAll("public.customers", "PostgreSQL 18")
                .hasMessageNotContaining(ORDERS);
    }

    @Test
    void serversThatDoNotFitOnTheDiskAreNotStarted() {
        Path home = Path.of("home");
        assertThatThrownBy(() -> StartedServers.checkRoom(5, 100_000_000, 400_000_000, home))
                .isInstanceOf(TargetException.class)
                .hasMessageContainingAll("400 MB", "500 MB", "5 further", "--clusters");
        assertThatCode(() -> StartedServers.checkRoom(4, 100_000_000, 400_000_000, home))
                .doesNotThrowAnyException();
    }

    @Test
    void equalTablesAreTheSameData() {
        server("17", "a", Map.of(ORDERS, ROWS));
        server("17", "b", Map.of(ORDERS, ROWS));
        server("18", "a", Map.of(ORDERS, ROWS));

        assertThatCode(() -> StartedServers.checkSame(byServer)).doesNotThrowAnyException();
    }
}
