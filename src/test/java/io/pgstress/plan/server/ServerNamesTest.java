package io.pgstress.plan.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.option.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers are named as with libpq: options, connection strings, services, the environment. */
final class ServerNamesTest {
    @TempDir
    private Path directory;

    private final Map<String, String> environment =
            new HashMap<>(Map.of("PGPORT", "5432")); // no socket of this machine
    private final Problems problems = new Problems();

    /** @param options {@code name=value}, separated by spaces; {@code _} is a space */
    private Map<String, List<String>> resolved(String options) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String option : options.isEmpty() ? new String[0] : options.split(" ", -1)) {
            int equals = option.indexOf('=');
            given.computeIfAbsent(option.substring(0, equals), name -> new ArrayList<>())
                    .add(option.substring(equals + 1).replace('_', ' '));
        }
        return new ServerNames(new ServerEnvironment(environment, "me")).resolved(given, problems);
    }

    private String url(String options) {
        List<String> urls = resolved(options).get("url");
        assertThat(problems.list()).isEmpty();
        assertThat(urls).hasSize(1);
        return urls.get(0);
    }

    private String problem(String options) {
        resolved(options);
        assertThat(problems.list()).hasSize(1);
        Problems.Problem problem = problems.list().get(0);
        return (problem.option().isEmpty() ? "" : "--" + problem.option() + ": ") + problem.what();
    }

    @Test
    void hostsThatCannotBeUsedAreReportedWhereTheyAreNamed() {
        String directory = "/" + "x".repeat(120);
        assertThat(problem("host=" + directory))
                .startsWith("--host: the name of a Unix socket has at most 107 bytes; /x");
    }

    @Test
    void addressOfTheEnvironmentIsNotUsedForAnotherHost() {
        environment.put("PGHOSTADDR", "10.0.0.1");
        assertThat(url("dbname=d")).isEqualTo("jdbc:postgresql://10.0.0.1:5432/d?user=me");
        assertThat(url("host=h dbname=d")).isEqualTo("jdbc:postgresql://h:5432/d?user=me");
        assertThat(url("url=hostaddr=10.0.0.2_dbname=d host=h")).isEqualTo("jdbc:postgresql://h:5432/d?user=me");
        assertThat(url("url=postgresql://h/d")).isEqualTo("jdbc:postgresql://h:5432/d?user=me");
    }

    @Test
    void aRoleMustBeNamedForAUserWithoutAName() {
        new ServerNames(new ServerEnvironment(environment, "?")).resolved(Map.of("host", List.of("h")), problems);
        assertThat(problems.list()).hasSize(1);
        assertThat(problems.list().get(0).what()).startsWith("the role must be named (--user or PGUSER)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host=h | jdbc:postgresql://h:5432/me?user=me",
                "host=h port=6 user=u dbname=d/1 | jdbc:postgresql://h:6/d%2F1?user=u",
                "host=::1 | jdbc:postgresql://[::1]:5432/me?user=me",
                "host=a,b port=1,2 | jdbc:postgresql://a:1,b:2/me?user=me",
                "host=/run/pg | jdbc:postgresql://%2Frun%2Fpg:5432/me?user=me",
                "dbname=postgresql://h/d | jdbc:postgresql://h:5432/d?user=me",
                "dbname=host=h_dbname=d | jdbc:postgresql://h:5432/d?user=me",
                "dbname=d hosts=a:1 | jdbc:postgresql://localhost:5432/d?user=me"
            })
    void optionsNameAServer(String options, String expected) {
        assertThat(url(options)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgresql://u:p%40@h:6/d | jdbc:postgresql://h:6/d?user=u&password=p%40",
                "postgres://u@a:1,b/d?sslmode=require | jdbc:postgresql://a:1,b:5432/d?user=u&sslmode=require",
                "postgresql://h/d,clients=4 | jdbc:postgresql://h:5432/d?user=me,clients=4",
                "postgresql://[::1]:6/d?user=u | jdbc:postgresql://[::1]:6/d?user=u",
                "postgresql:///d?host=/run/my+dir&port=6 | jdbc:postgresql://%2Frun%2Fmy%2Bdir:6/d?user=me",
                "postgresql://%2Frun%2Fpg/d?sslmode=require | jdbc:postgresql://%2Frun%2Fpg:5432/d?user=me",
                "postgresql://h/d?ssl=true&connect_timeout=5 | jdbc:postgresql://h:5432/d?user=me&sslmode=require&connectTimeout=5",
                "postgresql://h/d?target_session_attrs=read-write&channel_binding=require | jdbc:postgresql://h:5432/d?user=me&channelBinding=require&targetServerType=primary",
                "postgresql://h/d?options=-c%20geqo%3Doff | jdbc:postgresql://h:5432/d?user=me&options=-c%20geqo%3Doff",
                "host=h dbname=d user='a b\\'c' | jdbc:postgresql://h:5432/d?user=a%20b%27c",
                "host = h dbname='' | jdbc:postgresql://h:5432/me?user=me",
                "hostaddr=127.0.0.1 dbname=d | jdbc:postgresql://127.0.0.1:5432/d?user=me",
                "jdbc:postgresql:d | jdbc:postgresql:d",
                "jdbc:postgresql://h/d?prepareThreshold=1,clients=4 | jdbc:postgresql://h/d?prepareThreshold=1,clients=4"
            })
    void urlsAreTheDriversOrConnectionStrings(String text, String expected) {
        Map<String, List<String>> given = Map.of("url", List.of(text));
        assertThat(new ServerNames(new ServerEnvironment(environment, "me")).resolved(given, problems))
                .containsEntry("url", List.of(expected));
        assertThat(problems.list()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "url=jdbc:postgresql://a:1/x?user=u&ssl=true user=v dbname=d | jdbc:postgresql://a:1/d?user=v&ssl=true",
                "url=jdbc:postgresql://a:1/x host=b | jdbc:postgresql://b:1/x",
                "url=jdbc:postgresql://a:1,b:2/x port=7 | jdbc:postgresql://a:7,b:7/x",
                "url=jdbc:postgresql://a/x,clients=3 host=/run port=7 | jdbc:postgresql://%2Frun:7/x,clients=3",
                "url=jdbc:postgresql:///x?host=/run&port=5 port=7 | jdbc:postgresql:///x?host=/run&port=7",
                "url=jdbc:postgresql:x user=v | jdbc:postgresql:///x",
                "url=postgresql://u@a:1/x user=v dbname=d | jdbc:postgresql://a:1/d?user=v",
                "url=postgresql://u@a:1/x host=b | jdbc:postgresql://b:1/x?user=u"
            })
    void optionsHavePrecedenceOverTheUrl(String options, String expected) {
        assertThat(url(options)).isEqualTo(expected);
    }

    @Test
    void uriPrecedesTheServiceWhichPrecedesTheEnvironment() throws IOException {
        Path file = directory.resolve("services");
        Files.writeString(
                file,
                "# services\n[other]\nhost=no\n\n[mine]\nhost=s\nport = 6\ndbname=sd\nuser=su\nsslmode=require\n[x]\n");
        environment.putAll(
                Map.of("PGSERVICEFILE", file.toString(), "PGHOST", "e", "PGPORT", "7", "PGOPTIONS", "-c a=b"));

        assertThat(url("url=postgresql://?service=mine&user=u&sslmode=allow dbname=d"))
                .isEqualTo("jdbc:postgresql://s:6/d?user=u&sslmode=allow&options=-c%20a%3Db");
        environment.put("PGSERVICE", "mine");
        assertThat(url("")).isEqualTo("jdbc:postgresql://s:6/sd?user=su&sslmode=require&options=-c%20a%3Db");
    }

    @Test
    void servicesAreFoundInHomeAndThenInTheSystem() throws IOException {
        Files.writeString(directory.resolve(".pg_service.conf"), "[mine]\nhost=home\n");
        Files.writeString(directory.resolve("pg_service.conf"), "[mine]\nhost=no\n[all]\nhost=system\n");
        environment.putAll(Map.of("HOME", directory.toString(), "PGSYSCONFDIR", directory.toString()));

        assertThat(url("dbname=service=mine")).startsWith("jdbc:postgresql://home:5432/");
        assertThat(url("dbname=service=all")).startsWith("jdbc:postgresql://system:5432/");
    }

    @Test
    void environmentNamesAServer() {
        environment.putAll(Map.of(
                "PGHOST",
                "h",
                "PGPORT",
                "6",
                "PGUSER",
                "u",
                "PGDATABASE",
                "d",
                "PGSSLMODE",
                "verify-full",
                "PGSSLROOTCERT",
                "/ca",
                "PGCONNECT_TIMEOUT",
                "-1",
                "PGTARGETSESSIONATTRS",
                "standby"));

        assertThat(url(""))
                .isEqualTo("jdbc:postgresql://h:6/d?user=u&sslmode=verify-full&sslrootcert=%2Fca&connectTimeout=0"
                        + "&targetServerType=secondary");
        assertThat(url("host=o")).startsWith("jdbc:postgresql://o:6/d?user=u");
        assertThat(url("url=jdbc:postgresql://x/y")).isEqualTo("jdbc:postgresql://x/y");
    }

    @Test
    void withoutAServerTheEmbeddedOneIsMeant() {
        environment.putAll(Map.of("PGPORT", "6", "PGDATABASE", "d", "PGSSLCRL", "x"));
        ServerNames names = new ServerNames(new ServerEnvironment(environment, "me"));
        assertThat(names.resolved(Map.of("op", List.of("find")), problems)).isEqualTo(Map.of("op", List.of("find")));
        assertThat(names.noteOnEmbedded()).contains("embedded PostgreSQL starts; PGPORT, PGDATABASE would apply");
        assertThat(names.couldMeanAnother()).isTrue();
        ServerNames nothing = new ServerNames(new ServerEnvironment(Map.of(), "me"));
        assertThat(nothing.noteOnEmbedded()).endsWith("embedded PostgreSQL starts");
        assertThat(nothing.couldMeanAnother()).isFalse();
    }

    @Test
    void defaultHostIsTheSocketOfAServerOrLocalhost() throws IOException {
        ServerEnvironment own = new ServerEnvironment(Map.of(), "me");
        assertThat(own.defaultHost("1")).isEqualTo("localhost");
        Path socket = Path.of("/tmp/.s.PGSQL.2");
        Files.writeString(socket, "");
        try {
            assertThat(own.defaultHost("2")).isEqualTo("/tmp");
        } finally {
            Files.delete(socket);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port=70000 host=h | port must be a number from 1 to 65535, was '70000'",
                "host=a,b port=1,2,3 | port has 3 numbers, but host has 2 names",
                "host=a hosts=b | --host: cannot be combined with --hosts",
                "host=a url=jdbc:postgresql://b/x url=jdbc:postgresql://c/x | --host: cannot be combined with several --url",
                "dbname=postgresql://h/d url=jdbc:postgresql://b/x | --dbname: is a connection string, and so is --url",
                "host=h?password=x dbname=d | --host: a host must be a name, an address or the directory of a Unix socket, was 'h?password=***'",
                "host=@abstract | abstract Unix sockets (@abstract) cannot be used",
                "host=/run,h | a Unix socket cannot be one of several hosts",
                "url=postgresql://h/d?sslmod=x | --url: 'sslmod' is not a connection parameter of libpq; did you mean 'sslmode'?",
                "url=postgresql://h/d?sslmode=full | --url: sslmode must be one of allow, disable, prefer, require, verify-ca",
                "url=postgresql://h/d?application%5Fname=x | --url: application_name cannot be used: the sessions of a load",
                "url=postgresql://h/d?connect%5Ftimeout=1s | --url: connect_timeout must be a whole number of seconds",
                "url=postgresql://u:p%zz@h/d | --url: the URI is not percent-encoded correctly",
                "url=postgresql://u:p@s@h/d | --url: an @ follows the hosts of the URI",
                "url=postgresql://u:secret/x@h/d | --url: an @ follows the hosts of the URI",
                "url=postgresql://u:1?secret=x@h/d | --url: an @ follows the hosts of the URI",
                "url=postgresql://u:secret/h | --url: port must be a number from 1 to 65535",
                "url=postgresql:/u:secret=x@h/d | --url: the word before '=' at character",
                "url=postgresql://h/d?x | --url: a parameter of the URI has no '='",
                "dbname=host=h_secret | --dbname: a connection string must be keyword=value ..., but there is a word",
                "dbname=password='x | --dbname: a quoted value in the connection string does not end",
                "dbname=service=none | --dbname: service 'none' is not defined in"
            })
    void reportsWhatCannotBeUsed(String options, String expected) {
        assertThat(problem(options)).startsWith(expected).doesNotContain("secret", "p%zz", "p@s");
    }

    @Test
    void refusesVariablesThatWouldMakeAConnectionSafer() {
        environment.putAll(Map.of("PGHOST", "h", "PGREQUIREPEER", "postgres"));
        assertThat(problem(""))
                .isEqualTo(
                        "PGREQUIREPEER is set, but requirepeer cannot be used: the driver has no such parameter; unset it");
    }

    @Test
    void namesTheLineOfABadService() throws IOException {
        Path file = Files.writeString(directory.resolve("services"), "[a]\n\nhots=x\n");
        environment.putAll(Map.of("PGSERVICEFILE", file.toString(), "PGSERVICE", "a"));
        assertThat(problem(""))
                .isEqualTo(file + " line 3: 'hots' is not a connection parameter of libpq; did you mean 'host'?;"
                        + " a jdbc:postgresql: URL can have the driver's own");
    }
}
