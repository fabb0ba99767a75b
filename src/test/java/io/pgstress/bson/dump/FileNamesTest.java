package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of files as mongodump writes them. */
final class FileNamesTest {
    @ParameterizedTest
    @CsvSource({
        "caf\u00e9s, caf%C3%A9s",
        "../../x, ..%2F..%2Fx",
        "50% of a+b, 50%25+of+a%2Bb",
        "a~b*c-d_e.f, a~b%2Ac-d_e.f",
        "system.views$x, system.views%24x"
    })
    void escapesWhatDecodingRestores(String collection, String file) {
        assertThat(FileNames.encode(collection)).isEqualTo(file);
        assertThat(FileNames.decode(file)).isEqualTo(collection);
    }

    @Test
    void shortensNamesThatNoFileCanHave() {
        String name = "/".repeat(80);
        assertThat(FileNames.encode(name))
                .hasSize(238)
                .startsWith("%2F".repeat(69) + "%%24")
                .isNotEqualTo(FileNames.encode(name + "/"));
        assertThat(FileNames.encode("x".repeat(238))).isEqualTo("x".repeat(238));
    }
}
