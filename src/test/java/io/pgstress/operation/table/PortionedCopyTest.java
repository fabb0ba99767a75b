package io.pgstress.operation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.operation.OperationType.SetUpWork;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables that are filled in portions, on several connections. */
final class PortionedCopyTest {
    private static final int ROWS = 1_000;

    private static String url;

    @BeforeAll
    static void createTable() {
        url = TestServer.freshDatabase("portioned_copy");
        TestServer.execute(url, "create table numbers (id int primary key, portion int)");
    }

    private static PortionedCopy.Content content(int portion) {
        return new PortionedCopy.Content("numbers (id, portion)", ROWS, portion, 20, of -> (id, to, from) -> {
            byte[] row = (id + "\t" + of + "\n").getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(row, 0, to, from, row.length);
            return from + row.length;
        });
    }

    private static int fill(PortionedCopy.Content content) throws SQLException {
        AtomicInteger opened = new AtomicInteger();
        SetUpWork work = new SetUpWork(
                () -> {
                    opened.incrementAndGet();
                    return TestServer.connector(url).open(SessionPurpose.CONTROL);
                },
                line -> {});
        TestServer.execute(url, "truncate numbers");
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            PortionedCopy.fill(control, work, content);
        }
        return opened.get();
    }

    @Test
    void eachRowIsWrittenOnceWithItsPortion() throws SQLException {
        for (int portion : List.of(300, 500, ROWS, 2 * ROWS)) {
            int connections = fill(content(portion));

            assertThat(connections > 1).as("portions of %s rows", portion).isEqualTo(portion < ROWS);
            assertThat(TestServer.text(
                            url,
                            "select count(*) || ' ' || sum(id) || ' ' || count(*) filter (where portion <> (id - 1) / "
                                    + portion + ") from numbers"))
                    .isEqualTo("1000 500500 0");
        }
    }

    @Test
    void aFailedPortionIsTheResult() {
        TestServer.execute(url, "truncate numbers", "alter table numbers add constraint small check (id <> 777)");
        try {
            assertThatThrownBy(() -> fill(content(100)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("violates check constraint \"small\"");
        } finally {
            TestServer.execute(url, "alter table numbers drop constraint small");
        }
    }
}
