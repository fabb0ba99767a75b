package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sample of the embedded server. */
final class BundledDataTest {
    @Test
    void keepsTheUsersTables() throws Exception {
        String url = TestServer.freshDatabase("bundled");
        TestServer.execute(
                url,
                "create table orders (_id text primary key, data jsonb not null)",
                "insert into orders values ('mine', '{}')");

        assertThat(imported(url)).isTrue();

        assertThat(TestServer.text(url, "select string_agg(_id, ',') from orders"))
                .isEqualTo("mine");
        assertThat(TestServer.number(url, "select count(*) from check_in")).isPositive();
        assertThat(imported(url)).isFalse();
        TestServer.execute(url, "insert into check_in values (-1, '{}')");
        assertThat(imported(url)).isFalse();
        assertThat(TestServer.number(url, "select count(*) from check_in where _id = -1"))
                .isEqualTo(1);
    }

    @Test
    void ofTwoAtOnceTheSecondWaits() throws Exception {
        String url = TestServer.freshDatabase("bundled_twice");
        List<CompletableFuture<Boolean>> both = Stream.generate(() -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return imported(url);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .limit(2)
                .toList();

        assertThat(both).extracting(CompletableFuture::join).containsExactlyInAnyOrder(true, false);
    }

    private static boolean imported(String url) throws Exception {
        Connector connector = TestServer.connector(url);
        Dialect dialect;
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            dialect = Dialects.of(Dialects.AUTO, connection);
        }
        return BundledData.importIfMissing(connector, dialect);
    }
}
