package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --include} and {@code --exclude}. */
final class NamespaceFilterTest {
    private static String reason(List<String> include, List<String> exclude, String database, String collection) {
        return new DumpFilter(List.of(), List.of(), false, include, exclude).reasonAgainst(database, collection, "");
    }

    @Test
    void includesWhatMatchesOneOfThePatternsAsAWhole() {
        List<String> patterns = List.of("shop.*", "*.log?");
        assertThat(reason(patterns, List.of(), "shop", "a.b")).isEmpty();
        assertThat(reason(patterns, List.of(), "other", "logs")).isEmpty();
        assertThat(reason(patterns, List.of(), "other", "logs2")).isEqualTo("it was not included");
        assertThat(reason(patterns, List.of(), "workshop", "a")).isEqualTo("it was not included");
    }

    @Test
    void exclusionPrevails() {
        assertThat(reason(List.of("shop.*"), List.of("*.tmp_*"), "shop", "tmp_1"))
                .isEqualTo("it was excluded");
        assertThat(reason(List.of(), List.of("*.tmp_*"), "shop", "a_tmp_1")).isEmpty();
    }

    @Test
    void backslashTakesTheNextCharacterLiterally() {
        assertThat(reason(List.of("shop.\\*"), List.of(), "shop", "*")).isEmpty();
        assertThat(reason(List.of("shop.\\*"), List.of(), "shop", "a")).isNotEmpty();
    }

    @Test
    void systemCollectionIsIncludedOnlyByName() {
        assertThat(reason(List.of("shop.*"), List.of(), "shop", "system.profile"))
                .isEqualTo("a system collection");
        assertThat(reason(List.of("shop.system.*"), List.of(), "shop", "system.profile"))
                .isEmpty();
        assertThat(reason(List.of("*.oplog"), List.of(), "", "oplog")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", ".orders", "shop."})
    void patternNeedsADatabaseAndACollection(String pattern) {
        assertThatThrownBy(() -> DumpFilter.namespacePattern(pattern))
                .hasMessage("must be DATABASE.COLLECTION, where * matches any characters, was '" + pattern + "'");
    }
}
