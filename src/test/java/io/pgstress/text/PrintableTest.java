package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Text of others in lines for people, and in cells for spreadsheets. */
final class PrintableTest {
    @Test
    void controlsBecomeVisible() {
        assertThat(Printable.lines("a\u001b[2Jb\u0007\u009bc\u202ed\u2066e\u200f"))
                .isEqualTo("a\\u001b[2Jb\\u0007\\u009bc\\u202ed\\u2066e\\u200f");
        assertThat(Printable.lines("a\rb\r\nc\n\td")).isEqualTo("a\\u000db\nc\n\td");
        assertThat(Printable.line("a\r\nb\tc")).isEqualTo("a b c");
    }

    @Test
    void everythingElseRemains() {
        String text = "caf\u00e9 \u6771\u4eac \u05e9\u05dc\u05d5\u05dd \ud83d\udc68\u200d\ud83d\udc69 \\ $1";
        assertThat(Printable.line(text)).isEqualTo(text);
    }

    /** Quotes around a cell do not keep a spreadsheet from running it. */
    @Test
    void cellsOfSeveralLinesAreNoFormulas() throws IOException {
        StringBuilder out = new StringBuilder();
        Csv.write(List.of(List.of("=cmd()\n", "+1\n+2", "\r=1", "1\n=2")), out);
        assertThat(out).hasToString("\"'=cmd()\n\",\"'+1\n+2\",\"'\r=1\",\"1\n=2\"\n");
    }

    @Test
    void cellsAreNoFormulas() throws IOException {
        StringBuilder out = new StringBuilder();
        Csv.write(List.of(List.of("=1+1", "+x", "-x", "@x", "\t=1", "-", "-1.5", "+2", "-3e-7", "x=1", "")), out);
        assertThat(out).hasToString("'=1+1,'+x,'-x,'@x,'\t=1,'-,-1.5,+2,-3e-7,x=1,\n");
    }
}
