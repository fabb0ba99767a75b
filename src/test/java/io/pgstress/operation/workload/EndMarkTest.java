package io.pgstress.operation.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.workload.TableLoad.FileRows.EndMark;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line that ends COPY's text format, however portions split it. */
final class EndMarkTest {
    @ParameterizedTest
    @ValueSource(strings = {"\\.\n", "1\tx\n\\.\nmore", "1\n\\.\r\nmore"})
    void findsTheMarkWhereverPortionsSplitIt(String text) {
        byte[] all = text.getBytes(US_ASCII);
        int end = text.indexOf('\n', text.indexOf("\\.")) + 1;
        for (int part = 0; part <= all.length; part++) {
            EndMark mark = new EndMark();
            mark.begin(RowFormat.TEXT);
            int inFirst = mark.endIn(all, part);
            byte[] rest = text.substring(part).getBytes(US_ASCII);
            int found = inFirst >= 0 ? inFirst : part + mark.endIn(rest, rest.length);
            assertThat(found).isEqualTo(end);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\\.", "\\..\n", "\\\\.\n", "x\\.\n", "\\.x\n", "\\\n.\n", "\\\r.\n"})
    void ignoresOtherLines(String text) {
        EndMark mark = new EndMark();
        mark.begin(RowFormat.TEXT);
        assertThat(mark.endIn(text.getBytes(US_ASCII), text.length())).isNegative();
    }
}
