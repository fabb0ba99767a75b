package io.pgstress.operation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.WriteTallies;
import io.pgstress.target.statement.SqlStatement;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Indexes at the end of a load are created once, whatever is retried. */
final class LoadClientTest {
    private static final int COPIES = 2;
    private final SQLException deadlock = new SQLException("deadlock detected", "40P01");

    private final LoadPlan plan = new LoadPlan(1, COPIES);
    private final List<String> sent = new ArrayList<>();
    private final List<String> failing = new ArrayList<>();

    private LoadClient client(boolean inTransaction) {
        SqlStatement[] statements = {statement("copy"), statement("primary_key"), statement("index_k")};
        GeneratedRows rows = new GeneratedRows(COPIES, 1, new SplitMix(1, 1), 10);
        LoadClient client =
                new LoadClient(plan, rows, statements, new WriteTallies(inTransaction).forClient(), new LongAdder());
        assertThat(client.draw()).isTrue();
        return client;
    }

    private SqlStatement statement(String name) {
        return (SqlStatement) Proxy.newProxyInstance(
                SqlStatement.class.getClassLoader(), new Class<?>[] {SqlStatement.class}, (proxy, method, values) -> {
                    if (failing.remove(name)) {
                        throw deadlock;
                    }
                    sent.add(name);
                    return 1L;
                });
    }

    private void secondClientsSecondIndexFailsOnce(boolean inTransaction) throws SQLException {
        client(inTransaction).execute();
        LoadClient last = client(inTransaction);
        failing.add("index_k");

        assertThatThrownBy(last::execute).isSameAs(deadlock);
        last.execute();
    }

    @Test
    void retryDoesNotCreateAnExistingIndexAgain() throws SQLException {
        secondClientsSecondIndexFailsOnce(false);

        assertThat(sent).containsExactly("copy", "copy", "primary_key", "index_k");
    }

    @Test
    void failedTransactionIsRetriedFromItsCopy() throws SQLException {
        secondClientsSecondIndexFailsOnce(true);

        assertThat(sent).containsExactly("copy", "copy", "primary_key", "copy", "primary_key", "index_k");
        assertThat(plan.missing()).isZero();
    }

    @Test
    void repeatedCopyFindsIndexesCreatedByAnotherTransaction() throws SQLException {
        LoadClient first = client(true);
        LoadClient last = client(true);
        first.execute();
        last.execute();
        last.committed();

        first.notCommitted(deadlock);
        first.execute();
        first.committed();

        assertThat(sent).containsExactly("copy", "copy", "primary_key", "index_k", "copy");
    }

    @Test
    void lastClientCreatesIndexesLostWithTheirTransaction() throws SQLException {
        LoadClient first = client(true);
        LoadClient last = client(true);
        first.execute();
        last.execute();

        first.notCommitted(deadlock);
        last.notCommitted(deadlock);
        last.execute();
        first.execute();

        assertThat(sent)
                .containsExactly("copy", "copy", "primary_key", "index_k", "copy", "copy", "primary_key", "index_k");
        assertThat(plan.missing()).isZero();
    }
}
