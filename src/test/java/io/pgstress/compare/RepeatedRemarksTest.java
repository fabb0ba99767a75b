package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RepeatedRemarksTest {
    private static Remark stall(double seconds) {
        return Remark.of(RemarkCode.STALL, "find", seconds, 100.0);
    }

    @Test
    void remarkThatABlockMakesTwiceCountsOnce() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(stall(0.3), Remark.of(RemarkCode.CLIENT_HOST_FULL), stall(0.5)))
                .plus(List.of(stall(0.7)))
                .plus(List.of());

        assertThat(all.first()).extracting(Remark::code).containsExactly(RemarkCode.STALL, RemarkCode.CLIENT_HOST_FULL);
        assertThat(all.counts()).containsExactly(2, 1);
        assertThat(all.remarks(3, "blocks"))
                .extracting(remark -> remark.figures().get("count"))
                .containsExactly(2, 1);
        assertThat(all.remarks(3, "blocks").get(0).text()).endsWith(stall(0.3).text());
    }

    @Test
    void remarksAboutOtherTablesAreOfOneCode() {
        RepeatedRemarks all = RepeatedRemarks.NONE
                .plus(List.of(Remark.of(RemarkCode.AUTOVACUUM, "s", "public.a")))
                .plus(List.of(Remark.of(RemarkCode.AUTOVACUUM, "s", "public.b, public.c and 2 more")))
                .plus(List.of(Remark.of(RemarkCode.AUTOVACUUM_FROM_BEFORE, "s", "public.a")));

        assertThat(all.counts()).containsExactly(2, 1);
    }

    @Test
    void remarkOnAllBlocksStandsAlone() {
        assertThat(RepeatedRemarks.NONE.plus(List.of(stall(0.3))).remarks(1, "blocks"))
                .containsExactly(stall(0.3));
    }
}
