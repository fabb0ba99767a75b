package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reasons and warnings of a result say of themselves is what their lists say of them. */
final class ValidityTest {
    private static final Remark REASON = RemarkCode.NO_SUCCESS.remark();
    private static final Remark NOTE = RemarkCode.NO_MACHINE_FULL.remark();

    @Test
    void noteIsNoWarning() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Validity(true, List.of(), List.of(NOTE)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Validity(false, List.of(NOTE), List.of()));
    }

    @Test
    void reasonIsAWarningOnlyIfItWasAccepted() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Validity(true, List.of(), List.of(REASON)));
        assertThatNoException().isThrownBy(() -> new Validity(true, List.of(), List.of(REASON.asWarning())));
    }
}
