package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonWriter;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.importer.table.Verification;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --verify} reads tables back and compares them with the input. */
@Slow
final class VerifyTest extends ImportTestCase {
    private static final int DOCUMENTS = 40_000;

    @BeforeEach
    void tables() {
        TestServer.execute(
                url,
                "drop table if exists v, v_copy, v_import, stress_progress.stress_imports, stress_progress.stress_import_chunks");
        imports.verify = true;
    }

    private static void assertVerified(CollectionSummary summary, long rows) {
        assertThat(summary.fault()).isEmpty();
        assertThat(summary.verification()).isNotNull();
        assertThat(summary.verification()).isEqualTo(new Verification(rows, 0, 0, 0, ""));
    }

    private static void oddFields(BsonWriter w, int i) {
        w.int32("_id", i);
        switch (i % 8) {
            case 0 ->
                w.float64("n", -0.0)
                        .float64("m", 1e300)
                        .float64("o", Double.MIN_VALUE)
                        .float64("p", 100);
            case 1 -> w.int32("k", 1).int32("k", 2).string("k", "last").int32("l", 3);
            case 2 ->
                w.string("s", "\u0001\b\f\n\r\t\"\\/\u007f\u00e9\u20ac\ud83d\ude00")
                        .string("", "");
            case 3 -> w.document("d").int32("b", 1).int32("aa", 2).int32("a", 3).end();
            case 4 -> w.string("s", "a\0b");
            case 5 ->
                w.int64("l", Long.MIN_VALUE).bool("t", true).bool("f", false).nothing("n");
            case 6 -> w.array("e").end().document("f").end();
            default -> w.date("t", i);
        }
    }

    @Test
    void otherNotationOfJsonbIsEqual() throws Exception {
        CollectionSummary summary = imports.one("v", Imports.documents(800, VerifyTest::oddFields));

        assertThat(summary.rejected()).isEqualTo(100);
        assertVerified(summary, 700);
    }

    /** Appends to a table with a trigger of this body, which sees each new row. */
    private void spoil(String body) {
        TestServer.execute(
                url,
                "create table if not exists v (_id int, data jsonb)",
                "create or replace function spoil() returns trigger language plpgsql as $$ begin " + body
                        + "; return new; end $$",
                "create trigger spoil before insert on v for each row execute function spoil()");
        imports.ifExists = IfExists.APPEND;
    }

    @ParameterizedTest
    @CsvSource({
        "'new.data = jsonb_set(new.data, ''{n}'', ''8'')', 0, 0, 1",
        "new._id = -7, 1, 1, 0",
        "return null, 1, 0, 0",
        "'if pg_trigger_depth() = 1 then insert into v values (new._id, new.data); end if', 0, 1, 0"
    })
    void findsOneWrongRow(String damage, int missing, int additional, int different) throws Exception {
        spoil("if new._id = 7 then " + damage + "; end if");

        CollectionSummary summary = imports.one("v", Imports.numbered(1000, i -> i));

        assertThat(summary.fault()).startsWith("verification failed").contains("7");
        Verification found = Objects.requireNonNull(summary.verification());
        assertThat(List.of(found.missing(), found.additional(), found.different()))
                .containsExactly((long) missing, (long) additional, (long) different);
    }

    private static byte[] large(int count) {
        String text = "a\u0001\u00e9\\".repeat(600_000);
        return Imports.documents(
                count,
                (w, i) -> w.int32("_id", i).string("s", i % 2 == 0 ? text : "").float64("n", i / 3.0));
    }

    @Test
    void readsLargeRowsBackInPieces() throws Exception {
        assertVerified(imports.one("v", large(7)), 7);
        assertThat(number("select count(*) from v where pg_column_size(data) > 32768"))
                .isEqualTo(4);
        assertThat(number("select min(octet_length(data::text)) from v where _id % 2 = 0"))
                .isGreaterThan(6_000_000);
    }

    @Test
    void findsAnErrorDeepInsideALargeRow() throws Exception {
        spoil("if new._id = 4 then new.data = jsonb_set(new.data, '{s}', to_jsonb((new.data->>'s') || 'x')); end if");

        assertThat(imports.one("v", large(5)).verification()).isEqualTo(new Verification(5, 0, 0, 1, "4"));
    }

    @Test
    void readsAllLargeRowsOfOneKey() throws Exception {
        TestServer.execute(url, "create table v (_id int, data jsonb)");
        imports.ifExists = IfExists.APPEND;
        imports.one("v", large(3));
        TestServer.execute(url, "insert into v values (null, null), (9, null)");

        assertVerified(imports.one("v", large(3)), 8);
    }

    @Test
    void earlierRowsAreNotAFault() throws Exception {
        imports.one("v", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;

        assertVerified(imports.one("v", Imports.numbered(10, i -> i + 100)), 20);
    }

    @ParameterizedTest
    @EnumSource(
            value = OnDuplicate.class,
            names = {"SKIP", "REPLACE"})
    void verifiesTheOutcomeOfDuplicates(OnDuplicate policy) throws Exception {
        imports.one("v", Imports.numbered(10, i -> i * 5));
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = policy;
        imports.jobs = 2;

        assertVerified(imports.one("v", Imports.numbered(100, i -> i % 20)), 26);
    }

    /** The table has the rows 0, 5, ... 45; the documents have the ids 0 to 19, and other contents than the rows 5, 10 and 15. */
    @ParameterizedTest
    @CsvSource({
        "SKIP, delete from v where _id = 45, 1, 0",
        "REPLACE, delete from v where _id = 45, 1, 0",
        "SKIP, new.data = '{}', 0, 1",
        "REPLACE, new.data = '{}', 0, 1",
        "SKIP, insert into v values (-1) on conflict do nothing, -1, 0"
    })
    void noticesDamageToEarlierAndToNewRows(OnDuplicate policy, String damage, int missing, int different)
            throws Exception {
        imports.one("v", Imports.numbered(10, i -> i * 5));
        spoil("if new._id = 7 then " + damage + "; end if");
        imports.onDuplicate = policy;

        Verification found = Objects.requireNonNull(
                imports.one("v", Imports.numbered(20, i -> i)).verification());

        assertThat(List.of(found.missing() - found.additional(), found.different()))
                .containsExactly((long) missing, (long) different);
    }

    @Test
    void verifiesAResumedImportAsAWhole() throws Exception {
        Path file = imports.write("v", Imports.wide(DOCUMENTS, i -> i));
        imports.cutOff(file, 2);
        imports.resume = true;

        CollectionSummary resumed = imports.one(file);

        assertThat(resumed.skipped()).isPositive();
        assertVerified(resumed, DOCUMENTS);
    }

    @Test
    void verifiesAFaultyTableAgain() throws Exception {
        spoil("if new._id = 7 then new._id = -7; end if");
        Path file = imports.write("v", Imports.numbered(1000, i -> i));
        assertThat(imports.one(file).fault()).contains("verification failed");
        imports.resume = true;

        assertThat(imports.one(file).fault()).contains("verification failed");
        TestServer.execute(url, "alter table v disable trigger all", "update v set _id = 7 where _id = -7");
        assertVerified(imports.one(file), 1000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completeImportIsVerifiedLater(boolean atomic) throws Exception {
        Path file = imports.write("v", Imports.documents(800, VerifyTest::oddFields));
        imports.verify = false;
        imports.atomic = atomic;
        imports.maxRejects = 100;
        imports.run(file);
        imports.atomic = false;
        imports.resume = true;
        imports.verify = true;

        CollectionSummary summary = imports.one(file);

        assertVerified(summary, 700);
        assertThat(summary.skipped()).isEqualTo(700); // not those that were rejected
        TestServer.execute(
                url,
                "update stress_progress.stress_imports set verified = false",
                "update v set data = '{}' where _id = 5");
        assertThat(imports.one(file).verification()).isEqualTo(new Verification(700, 0, 0, 1, "5"));
    }

    @Test
    void interruptedImportIsVerifiedAlthoughItWasStartedWithout() throws Exception {
        Path file = imports.write("v", Imports.wide(DOCUMENTS, i -> i));
        imports.verify = false;
        imports.cutOff(file, 2);
        imports.verify = true;
        imports.resume = true;

        assertVerified(imports.one(file), DOCUMENTS);
    }

    @Test
    void rowsThatWereNotCountedCannotBeVerified() throws Exception {
        imports.one("v", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;
        imports.verify = false;
        imports.one("v", Imports.numbered(10, i -> i + 100));
        imports.resume = true;
        imports.verify = true;

        assertThatThrownBy(() -> imports.one("v", Imports.numbered(10, i -> i + 100)))
                .isInstanceOf(TargetException.class)
                .hasMessageMatching(
                        "--verify: the import into v was started without it, .*; resume it without --verify");
    }

    @Test
    void outcomeOfDuplicatesIsVerifiedLater() throws Exception {
        imports.onDuplicate = OnDuplicate.SKIP;
        imports.verify = false;
        imports.one("v", Imports.numbered(10, i -> i % 5));
        imports.resume = true;
        imports.verify = true;

        assertVerified(imports.one("v", Imports.numbered(10, i -> i % 5)), 5);
    }

    /** Those that the server refused are neither missing nor different. */
    @Test
    void rejectedDocumentsAreNotCompared() throws Exception {
        imports.one("v", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary = imports.one("v", Imports.numbered(20, i -> i + 5));

        assertThat(summary.rejected()).isEqualTo(5);
        assertVerified(summary, 25);
    }
}
