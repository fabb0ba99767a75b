package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import org.junit.jupiter.api.Test;

/** A saved result is judged by the same code as a new one. */
final class JudgedAgainTest {
    @Test
    void savedResultHasTheSameRemarks() {
        String url = TestServer.freshDatabase("judged_again");
        TestServer.table(url, "docs", 100);
        RunResult result = Runs.run("-t docs -c 2 --warmup 0 -T 0.6 -P 0.3 --url " + url);

        RunResult again = Judge.judged(Json.read(Json.writeLine(result), RunResult.class));

        assertThat(result.warnings()).extracting(Remark::code).contains(RemarkCode.FEW_INTERVALS);
        assertThat(again.reasons()).isEqualTo(result.reasons());
        assertThat(again.warnings()).isEqualTo(result.warnings());
    }
}
