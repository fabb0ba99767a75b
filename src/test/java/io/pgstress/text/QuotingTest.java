package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a name or a value contains, the server and the shell read it as it is. */
final class QuotingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "O'Brien", "\\", "C:\\new\\table", "\\'; drop table docs; --", "\"", "$1 ? %s", ""})
    void literalIsTheText(String text) {
        for (String conforming : new String[] {"on", "off"}) {
            String url = TestServer.maintenanceUrl() + "&options=-c%20standard_conforming_strings=" + conforming;
            assertThat(TestServer.text(url, "select " + Quoting.literal(text)))
                    .as(conforming)
                    .isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "Two Words", "\"", "a\"\"b", "$1", "'"})
    void identifierIsTheName(String name) {
        assertThat(TestServer.text(
                        TestServer.maintenanceUrl(),
                        "select json_object_keys(row_to_json(r)) from (select 1 as " + Quoting.identifier(name)
                                + ") r"))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "two words", "it's", "$HOME", "a\\b", "\"", "*", "; exit 1", ""})
    void shellWordIsOneWord(String word) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s|' " + Quoting.shellWord(word)).start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(word + "|");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a b", "\"", "\\", "{x,y}", "null", ""})
    void elementIsOneOfAnArray(String text) {
        assertThat(TestServer.text(
                        TestServer.maintenanceUrl(),
                        "select (" + Quoting.literal("{" + Quoting.element(text) + "}") + "::text[])[1]"))
                .isEqualTo(text);
    }
}
