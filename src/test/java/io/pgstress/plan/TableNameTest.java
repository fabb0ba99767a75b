package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u00a7',
            value = {
                "orders||orders",
                "shop.orders|shop|orders",
                "\"fs.files\"||fs.files",
                "\"a.b\".\"c\"\"d\"|a.b|c\"d",
                "q\"uote||q\"uote",
                "s.\"fs.files\"|s|fs.files",
                "\"lone||\"lone",
                "x.|" + "|x.",
            })
    void readsNamesAsFoundOrQuoted(String text, String schema, String name) {
        TableName expected = new TableName(schema == null ? "" : schema, name);

        assertThat(TableName.parse(text)).isEqualTo(expected);
        assertThat(TableName.parse(expected.quoted())).isEqualTo(expected);
        assertThat(TableName.parse(expected.written())).isEqualTo(expected);
    }

    @Test
    void nameWithDotsHasOtherReadings() {
        assertThat(TableName.parse("a.b.c").otherReadings())
                .containsExactly(new TableName("", "a.b.c"), new TableName("a.b", "c"));
        assertThat(TableName.parse("orders").otherReadings()).isEmpty();
    }
}
