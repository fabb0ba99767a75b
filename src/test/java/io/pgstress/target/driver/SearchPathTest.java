package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector.LoadSessions;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A statement repeats the search path, because a cluster's coordinator passes on only statements. */
@Slow
final class SearchPathTest {
    private static String url;

    @BeforeAll
    static void makeSchemas() {
        url = TestServer.freshDatabase("paths");
        TestServer.execute(url, "create schema here", "create schema \"It's \"\"so\"\"\"");
    }

    /** The setting and its source: {@code client} at the start of the session, {@code session} by a statement. */
    private static String path(Connection opened) throws SQLException {
        try (Connection connection = opened;
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select source || ': ' || setting from pg_settings where name = 'search_path'")) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connector connector(String more, Map<String, String> settings) {
        return new Connector(
                new Endpoint(url + more, 0), Login.of(""), new LoadSessions(StatementMode.PREPARED, "", settings, 1));
    }

    @Test
    void loadAndControlSessionsRepeatThePathOfTheUrl() throws SQLException {
        Connector connector =
                connector("&currentSchema=nowhere,here,public", Map.of()).forCluster();

        assertThat(path(connector.open(SessionPurpose.LOAD))).isEqualTo("session: here, public");
        assertThat(path(connector.open(SessionPurpose.CONTROL))).isEqualTo("session: here, public");
        assertThat(path(connector.open(SessionPurpose.DDL))).isEqualTo("session: here, public");
    }

    @Test
    void repeatsThePathOfUrlOptionsAndRunSettings() throws SQLException {
        assertThat(path(connector("&options=-c%20Search_Path=here", Map.of())
                        .forCluster()
                        .open(SessionPurpose.LOAD)))
                .isEqualTo("session: here");
        assertThat(path(connector("", Map.of("search_path", "here"))
                        .forCluster()
                        .open(SessionPurpose.LOAD)))
                .isEqualTo("session: here");
    }

    @Test
    void quotesNamesThatNeedIt() throws SQLException {
        assertThat(path(connector("", Map.of("search_path", "\"It's \"\"so\"\"\""))
                        .forCluster()
                        .open(SessionPurpose.LOAD)))
                .isEqualTo("session: \"It's \"\"so\"\"\"");
    }

    @Test
    void repeatsNothingWithoutAPath() throws SQLException {
        assertThat(path(connector("&options=-c%20work_mem=7MB", Map.of())
                        .forCluster()
                        .open(SessionPurpose.LOAD)))
                .startsWith("default: ");
        assertThat(path(connector("&currentSchema=nowhere", Map.of())
                        .forCluster()
                        .open(SessionPurpose.LOAD)))
                .isEqualTo("client: nowhere");
    }

    @Test
    void runRepeatsThePathOnClustersOnly() throws SQLException {
        String there = url + "&currentSchema=here";
        OldCitus.createIn(url);

        Target cluster = Target.open(Runs.spec("--op load --url " + there));
        Target single = Target.open(Runs.spec("--op load --target postgres --url " + there));

        assertThat(path(cluster.first().connector().open(SessionPurpose.LOAD))).isEqualTo("session: here");
        assertThat(path(single.first().connector().open(SessionPurpose.LOAD))).isEqualTo("client: here");
    }

    @Test
    void controlConnectionsHaveTheSearchPathOfTheRun() throws SQLException {
        Connector connector = connector("", Map.of("Search_Path", "here", "work_mem", "7MB"));

        assertThat(path(connector.open(SessionPurpose.CONTROL))).isEqualTo("client: here");
        assertThat(path(connector.open(SessionPurpose.DDL))).isEqualTo("client: here");
        assertThat(path(connector.settingBySql().open(SessionPurpose.CONTROL))).isEqualTo("session: here");
        assertThat(path(connector.open(SessionPurpose.LOOKUP))).startsWith("default: ");
        try (Connection control = connector.open(SessionPurpose.CONTROL);
                Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery("show work_mem")) {
            row.next();
            assertThat(row.getString(1)).as("a setting of the load only").isEqualTo("4MB");
        }
    }

    @Test
    void writeChecksAndLocksUseTheTableThatTheClientsWrite() {
        TestServer.table(url, "docs", 50);
        TestServer.execute(
                url,
                "create table here.docs (like public.docs including all)",
                "insert into here.docs select * from public.docs limit 20");

        RunResult run = Runs.run("-t docs --op find_insert -c 1 --set search_path=here --warmup 0 -T 0.2 --url " + url);

        assertThat(run.dataset().rowsBefore()).isEqualTo(20);
        assertThat(run.reasons())
                .noneMatch(r -> (r.code() == RemarkCode.POSTGRES_XL_LOSES_INSERTS
                        || r.code() == RemarkCode.POSTGRES_XL_PANICS));
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND)).hasSize(1);
        assertThat(run.total().ok()).isPositive(); // the copy table may just have been emptied
        assertThat(TestServer.text(url, "select to_regclass('here.docs_copy')::text"))
                .isNotNull();
        assertThat(TestServer.text(url, "select to_regclass('public.docs_copy')::text"))
                .isNull();
    }
}
