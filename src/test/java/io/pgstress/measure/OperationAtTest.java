package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.OperationAt.RunningOperation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which operations a client answers with. Operation {@code i} lasts from {@code 10 i} to {@code 10 i + 9} ns. */
final class OperationAtTest {
    private final OperationAt client = new OperationAt();

    private void work(int from, int to) {
        IntStream.range(from, to).forEach(i -> client.ended(7, i, Outcome.OK, 10L * i, 1, 10L * i + 9));
    }

    @ParameterizedTest
    @CsvSource({
        // asked for, operations that end afterwards, first of the answer, their number
        "25, 2, 2, 0",
        "25, 4, 2, 2",
        "29, 4, 2, 2",
        "30, 4, 3, 1",
        "25, 90, 2, 64",
        "0, 3, 0, 3",
    })
    void answersWithTheFirstOperationsThatEndLater(long asked, int until, int first, int count) {
        client.ask(asked);
        work(0, until);

        assertThat(client.answer())
                .extracting(RunningOperation::operation)
                .isEqualTo(IntStream.range(first, first + count).boxed().toList());
        assertThat(client.isFull()).isEqualTo(count == OperationAt.KEPT);
    }

    @Test
    void laterQuestionReplacesTheAnswer() {
        client.ask(0);
        work(0, 2);
        client.ask(25);
        assertThat(client.answer()).isEmpty();
        client.ended(7, 2, Outcome.FAILED, 20, 3, 29);

        assertThat(client.answer()).isEqualTo(List.of(new RunningOperation(7, 2, false, 20, 23, 29)));
    }
}
