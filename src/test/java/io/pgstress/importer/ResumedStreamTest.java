package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resuming imports from standard input, which has neither size nor name; and two resumes at the same time. */
@Timeout(60)
final class ResumedStreamTest extends ImportTestCase {
    /** Three chunks. */
    private static final int DOCUMENTS = 70_000;

    /** An import that the server has ended in its second chunk. */
    @BeforeEach
    void interrupt() {
        TestServer.execute(
                url,
                "drop table if exists stdin, stress_progress.stress_imports, stress_progress.stress_import_chunks",
                "create table stdin (_id int, data jsonb)",
                "create or replace function full_disk() returns trigger language plpgsql as"
                        + " 'begin raise exception ''no space left'' using errcode = ''53100''; end'",
                "create trigger full_disk before insert on stdin for each row when (new._id = " + (DOCUMENTS - 20_000)
                        + ") execute function full_disk()");
        imports.ifExists = IfExists.APPEND;
        assertThatThrownBy(() -> stream(Imports.wide(DOCUMENTS, i -> i))).hasMessageContaining("--resume to continue");
        TestServer.execute(url, "drop trigger full_disk on stdin");
        assertThat(count("stdin")).isPositive().isLessThan(DOCUMENTS);
        imports.resume = true;
    }

    private CollectionSummary stream(byte[] documents) throws Exception {
        return imports.stream(documents, 100_000, 100_000);
    }

    @Test
    void sameStreamIsContinued() throws Exception {
        CollectionSummary resumed = stream(Imports.wide(DOCUMENTS, i -> i));

        assertThat(resumed.skipped()).isPositive();
        assertThat(number("select count(distinct _id) from stdin"))
                .isEqualTo(DOCUMENTS)
                .isEqualTo(count("stdin"));
        assertThatThrownBy(() -> stream(Imports.wide(DOCUMENTS, i -> i)))
                .hasMessageContaining("there is nothing to --resume");
    }

    @Test
    void anotherStreamIsNotMixedWithTheFirst() {
        long before = count("stdin");

        assertThatThrownBy(() -> stream(Imports.wide(DOCUMENTS, i -> i == 7 ? -7 : i)))
                .hasMessageContaining("the input is not the one whose import into stdin was interrupted: of the"
                        + " documents from number 0 to ");
        assertThat(number("select count(*) from stdin where _id = -7")).isZero();
        assertThat(before).isPositive();
    }

    /** The first waits for a lock of ours, with the import's lock in its hands; the second must give up. */
    @Test
    void secondOfTwoResumesGivesUp() throws Exception {
        byte[] documents = Imports.wide(DOCUMENTS, i -> i);
        CompletableFuture<CollectionSummary> one;
        CompletableFuture<CollectionSummary> other;
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table stress_progress.stress_imports");
            one = start(documents);
            other = start(documents);
            assertThatThrownBy(() -> CompletableFuture.anyOf(one, other).get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("table stdin is in use by another run (pgstress run import, pid ");
            connection.rollback();
        }

        List<CompletableFuture<CollectionSummary>> successful = List.of(one, other).stream()
                .filter(each -> !each.isCompletedExceptionally())
                .toList();
        assertThat(successful).hasSize(1);
        assertThat(successful.get(0).get(30, TimeUnit.SECONDS).fault()).isEmpty();
        assertThat(number("select count(distinct _id) from stdin"))
                .isEqualTo(DOCUMENTS)
                .isEqualTo(count("stdin"));
    }

    private CompletableFuture<CollectionSummary> start(byte[] documents) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return stream(documents);
            } catch (Exception e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        });
    }
}
