package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RepeatedRemarksTest {
    private static Remark stall(double seconds) {
        return RemarkCode.STALL
                .with("operation", "find")
                .with("seconds", seconds)
                .with("times", 100.0)
                .remark();
    }

    @Test
    void remarkThatABlockMakesTwiceCountsOnce() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(stall(0.3), RemarkCode.CLIENT_HOST_FULL.remark(), stall(0.5)))
                .plus(List.of(stall(0.7)))
                .plus(List.of());

        assertThat(all.each()).extracting(Remark::code).containsExactly(RemarkCode.STALL, RemarkCode.CLIENT_HOST_FULL);
        assertThat(all.counts()).containsExactly(2, 1);
        assertThat(all.remarks(3, "blocks"))
                .extracting(remark -> remark.figures().get("count"))
                .containsExactly(2, 1);
        assertThat(all.remarks(3, "blocks").get(0).text()).startsWith("In 2 of 3 blocks, ");
        assertThat(all.remarks(3, "blocks").get(0).figures())
                .containsEntry("seconds", Map.of("min", 0.3, "max", 0.7))
                .containsEntry("times", 100.0);
        assertThat(all.remarks(3, "blocks").get(0).text()).contains("took 0.30 to 0.70 s, 100 times");
    }

    /** The state of a comparison is saved after each round. */
    @Test
    void rangesSurviveTheFileOfAComparison() {
        RepeatedRemarks read = Json.read(
                Json.writeLine(RepeatedRemarks.NONE
                        .plus(List.of(RemarkCode.CLIENT_COMPILER
                                .with("compilerSeconds", 0.2)
                                .with("clientSeconds", 2.0)
                                .remark()))
                        .plus(List.of(RemarkCode.CLIENT_COMPILER
                                .with("compilerSeconds", 0.1)
                                .with("clientSeconds", 3.0)
                                .remark()))),
                RepeatedRemarks.class);

        Remark all = read.plus(List.of(RemarkCode.CLIENT_COMPILER
                        .with("compilerSeconds", 0.15)
                        .with("clientSeconds", 1.0)
                        .remark()))
                .remarks(3, "blocks")
                .get(0);
        assertThat(all.figures())
                .containsEntry("compilerSeconds", Map.of("min", 0.1, "max", 0.2))
                .containsEntry("clientSeconds", Map.of("min", 1.0, "max", 3.0));
    }

    @Test
    void remarkOnOneBlocksTimeOrTableIsAnExample() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(RemarkCode.CLIENT_STOOD_STILL
                        .with("seconds", 1.0)
                        .with("longest", 0.5)
                        .with("fromSeconds", 2.0)
                        .remark()))
                .plus(List.of(RemarkCode.CLIENT_STOOD_STILL
                        .with("seconds", 2.0)
                        .with("longest", 0.5)
                        .with("fromSeconds", 3.0)
                        .remark()));

        assertThat(all.remarks(2, "blocks").get(0).text()).startsWith("In all 2 blocks, for example, ");
        assertThat(all.remarks(2, "blocks").get(0).figures()).containsEntry("seconds", 1.0);
    }

    @Test
    void remarksAboutOtherTablesAreOfOneCode() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(RemarkCode.AUTOVACUUM
                        .with("server", "s")
                        .with("tables", "public.a")
                        .remark()))
                .plus(List.of(RemarkCode.AUTOVACUUM
                        .with("server", "s")
                        .with("tables", "public.b, public.c and 2 more")
                        .remark()))
                .plus(List.of(RemarkCode.AUTOVACUUM_FROM_BEFORE
                        .with("server", "s")
                        .with("tables", "public.a")
                        .remark()));

        assertThat(all.counts()).containsExactly(2, 1);
    }

    /** Neither "202 to 2,384 to 1,700 to 3,842", nor a capital or a second plural within the sentence. */
    @Test
    void sentenceOnSeveralBlocksReadsAsOne() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(RemarkCode.UNEVEN_CLIENTS
                        .with("least", 202L)
                        .with("most", 1_700L)
                        .with("mean", 500.0)
                        .remark()))
                .plus(List.of(RemarkCode.UNEVEN_CLIENTS
                        .with("least", 2_384L)
                        .with("most", 3_842L)
                        .with("mean", 2_000.0)
                        .remark()));

        assertThat(all.remarks(3, "blocks").get(0).text())
                .isEqualTo(
                        "In 2 of 3 blocks, clients were not served equally: the slowest completed 202 to 2,384 operations, the fastest"
                                + " 1,700 to 3,842, and the mean is 500 to 2,000");
    }

    @Test
    void remarkOnAllBlocksStandsAlone() {
        assertThat(RepeatedRemarks.NONE.plus(List.of(stall(0.3))).remarks(1, "blocks"))
                .containsExactly(stall(0.3));
    }
}
