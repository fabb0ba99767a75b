package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads CSV files, and several files into as many tables, against a server. */
@Slow
final class CsvLoadTest extends ShortRuns {
    @TempDir
    private Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @ParameterizedTest
    @CsvSource({"LF, ',', '\"', 1", "CRLF, ;, '\"', 7", "LF, \\t, %, 50", "CRLF, |, $, 1000"})
    void dividesAFileOnlyBetweenRows(String lineEnd, String delimiter, char quote, String copyRows) throws IOException {
        String end = lineEnd.equals("LF") ? "\n" : "\r\n";
        String comma = delimiter.equals("\\t") ? "\t" : delimiter;
        StringBuilder text = new StringBuilder("id,k,c,pad" + end);
        StringBuilder expected = new StringBuilder();
        for (int id = 1; id <= 300; id++) {
            String c = "\u00e4" + comma + "\n1" + comma + "\r\n\\.\n" + quote + id + "x".repeat(id % 40) + quote;
            text.append(id).append(comma).append(id % 7).append(comma);
            text.append(quote).append(c.replace("" + quote, "" + quote + quote)).append(quote);
            text.append(comma).append(id % 2 == 0 ? "\\.x" : "p").append(end);
            expected.append(c);
        }

        RunResult run = load("--input %s --csv-header --csv-delimiter %s --csv-quote %s --copy-rows %s"
                .formatted(
                        file("rows.csv", text.toString()),
                        delimiter,
                        quote == '"' ? "'\"'" : "\"" + quote + "\"",
                        copyRows));

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.operations().get("load").rows()).isEqualTo(300);
        assertThat(TestServer.text(url, "select string_agg(c, '' order by id) from pgstress_load_1"))
                .isEqualTo(expected.toString());
    }

    @Test
    void fillsATableFromEachFileOfADirectory() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int id = 1; id <= 200; id++) {
            text.append(id).append(",1,\"c\",p\n");
        }
        String first = file("a.csv", text.toString());
        String second = file("b.csv", "7,1,c,p\n8,1,c,p");
        file(".hidden", "x");
        Path other = Files.createDirectory(directory.resolve("c"));
        Path third = Files.writeString(other.resolve("rows"), "9\t1\t,\tp\n");

        RunResult run = load("--input " + directory + " --input " + third + " --copy-rows 10");

        OperationResult load = run.operations().get("load");
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(load.rows()).isEqualTo(203);
        assertThat(load.ok()).isGreaterThan(20);
        assertThat(TestServer.text(
                        url,
                        "select concat_ws(' ', (select sum(id) from pgstress_load_1), (select sum(id) from"
                                + " pgstress_load_2), (select id || c from pgstress_load_3))"))
                .isEqualTo("20100 15 9,");
        assertThat(Runs.found(run, RemarkCode.FILE_LOADED))
                .extracting(figures -> List.of(figures.get("file"), figures.get("rows"), figures.get("table")))
                .containsExactly(
                        List.of(first.toString(), 200L, "pgstress_load_1"),
                        List.of(second.toString(), 2L, "pgstress_load_2"),
                        List.of(third.toString(), 1L, "pgstress_load_3"));
        assertThat(Runs.found(run, RemarkCode.TABLE_SIZES)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "LF; 8,x,c,p; before; 22P02; invalid input syntax for type integer: \"x\" (column k)",
                "CRLF; 8,x,c,p; before; 22P02; invalid input syntax for type integer: \"x\" (column k)",
                "CRLF; 8,1,c; before; 22P04; missing data for column \"pad\"",
                "LF; 8,1,c,p,q; before; 22P04; extra data after last expected column",
                "LF; \\.; before; 22P04; a line \\. ends the data of COPY: no row after it would be loaded",
                "LF; \"30\",1,c,p; after; 23505; could not create unique index \"pgstress_load_1_pkey\", id 30",
            })
    void namesTheLineOnWhichARefusedRowBegins(String lineEnd, String row, String when, String state, String told)
            throws IOException {
        String end = lineEnd.equals("LF") ? "\n" : "\r\n";
        StringBuilder text = new StringBuilder("id,k,c,pad" + end);
        for (int id = 1; id <= 30; id++) {
            text.append(id == 28 ? row : id + ",1,\"c\n\r\nd\",p").append(end); // three lines
        }
        String file = file("rows.csv", text.toString());

        RunResult run = load("--input %s --csv-header --copy-rows 10 --index-when %s -c 1".formatted(file, when));

        OperationResult load = run.operations().get("load");
        assertThat(load.errors()).containsOnlyKeys(state);
        int line = 2 + 27 * 3 + (state.equals("23505") ? 1 + 3 : 0); // of two rows with the same id, the last is named
        assertThat(load.errors().get(state).sample()).isEqualTo(file + ":" + line + ": " + told);
    }

    @Test
    void reportsWhatIsWrongWithAFile() throws IOException {
        String rows = file("rows.csv", "1,1,c,p\n2,1,\"c\n\",p\n3,1,\"c,p\n4,1,c,p\n");
        String header = file("header.csv", "id,k,c,pad\n");
        String text = file("rows", "1\t1\tc\tp\n");
        Path empty = Files.createDirectory(directory.resolve("empty"));

        assertThatThrownBy(() -> load("--input " + rows))
                .hasMessage("--input: " + rows + ":4: the quoted field that begins here does not end");
        assertThatThrownBy(() -> load("--input " + header + " --csv-header"))
                .hasMessage("--input: " + header + " has a header but no rows; it needs one line per row, in CSV");
        assertThatThrownBy(() -> load("--input " + empty))
                .hasMessage("--input: directory " + empty + " contains no files");
        assertThatThrownBy(() -> load("--input " + text + " --input /nowhere/rows.csv"))
                .hasMessage("--input: /nowhere/rows.csv cannot be read: there is no such file");
        assertThatThrownBy(() -> load("--input " + text + " --input " + rows + " --tables 3"))
                .hasMessage("--input: has 2 files, which fill as many tables, but --tables is 3; leave it out");
        assertThatThrownBy(() -> load("--input " + text + " --csv-header"))
                .hasMessage("--csv-header: needs a CSV file: --input FILE.csv, or --input FILE --input-format csv");
        assertThatThrownBy(() -> load("--input " + rows + " --csv-quote ,"))
                .hasMessage("--csv-quote: must differ from --csv-delimiter");
        assertThatThrownBy(() -> load("--input " + rows + " --csv-delimiter ,,"))
                .hasMessage("--csv-delimiter: must be one visible ASCII character or \\t, was ',,'");
    }
}
