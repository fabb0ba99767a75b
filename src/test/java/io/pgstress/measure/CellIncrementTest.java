package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgstress.measure.Cell.StatementCell;
import io.pgstress.measure.CellCodec.CellIncrement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was recorded, taken in any number of increments and added on another host, is what one recorder would have had. */
final class CellIncrementTest {
    private static final List<OperationShape> SHAPES =
            List.of(new OperationShape("one", List.of("a", "b")), new OperationShape("two", List.of("c")));
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumOfTheIncrementsIsTheWholeExactly(long seed) {
        Random random = new Random(seed);
        Timeline one = timeline();
        Timeline split = timeline();
        Timeline sum = timeline();
        List<CellIncrement> onTheWay = new ArrayList<>();
        List<ClientRecorder> recorders = List.of(
                new ClientRecorder(one, 0, SECOND / 100),
                new ClientRecorder(one, 1, SECOND / 100),
                new ClientRecorder(split, 0, SECOND / 100),
                new ClientRecorder(split, 1, SECOND / 100));
        long now = 9 * SECOND / 10;
        for (int i = 0; i < 3000; i++) {
            int node = random.nextInt(2);
            now += random.nextInt(200_000);
            Random same = new Random(random.nextLong());
            long drawn = same.nextLong();
            record(recorders.get(node), new Random(drawn), now);
            record(recorders.get(2 + node), new Random(drawn), now);
            if (random.nextInt(100) == 0) {
                split.intervals(Phase.MEASURE).forEach(interval -> onTheWay.addAll(interval.takeNew()));
            }
            if (random.nextInt(500) == 0) {
                split.intervals(Phase.MEASURE).forEach(IntervalData::pack);
            }
        }
        recorders.forEach(ClientRecorder::flush);
        assertThat(one.intervals(Phase.MEASURE)).hasSize(1);
        onTheWay.addAll(split.intervals(Phase.MEASURE).get(0).takeNew());
        assertThat(onTheWay).hasSizeGreaterThan(10);
        assertThat(split.intervals(Phase.MEASURE).get(0).takeNew()).isEmpty();

        Collections.shuffle(onTheWay, random);
        IntervalData received = sum.at(SECOND);
        onTheWay.forEach(i -> received.add(i.node(), i.operation(), CellCodec.decode(i.cell())));

        for (int node = 0; node < 2; node++) {
            for (int operation = 0; operation < SHAPES.size(); operation++) {
                Cell expected = one.total(node, operation);
                assertThat(expected.completed()).isPositive();
                assertThat(contents(split.total(node, operation))).isEqualTo(contents(expected));
                assertThat(contents(sum.total(node, operation))).isEqualTo(contents(expected));
            }
        }
    }

    private static Timeline timeline() {
        Timeline timeline = new Timeline(IntervalGrid.of(SECOND), SHAPES, 2);
        timeline.start(0);
        timeline.measure(SECOND, 2 * SECOND);
        return timeline;
    }

    private static void record(ClientRecorder recorder, Random random, long now) {
        int operation = random.nextInt(SHAPES.size());
        boolean open = random.nextBoolean();
        Outcome outcome = Outcome.values()[random.nextInt(Outcome.values().length - 1)];
        long start = now - (long) Math.exp(random.nextDouble() * 18);
        recorder.begin(start);
        for (int s = 0; s < SHAPES.get(operation).statements().size(); s++) {
            recorder.statementEnded(operation, s, random.nextInt(1_000_000), random.nextInt(5), random.nextInt(2));
        }
        long intended = open ? start - random.nextInt(1000) : start;
        recorder.end(operation, outcome, open, intended, start, random.nextInt(1000), now, 3, random.nextInt(2));
        if (random.nextBoolean()) {
            recorder.retried(operation, intended, "40P01", "deadlock");
        }
        if (outcome == Outcome.FAILED) {
            recorder.error(
                    operation,
                    intended,
                    random.nextBoolean() ? "40001" : "53300",
                    "always the same",
                    random.nextBoolean());
        }
    }

    /** Everything in a cell, as text: equal cells have equal texts. */
    private static String contents(Cell cell) {
        StringBuilder text = new StringBuilder();
        text.append(Arrays.toString(cell.outcomes)).append(Arrays.toString(cell.carried));
        text.append(List.of(cell.rows, cell.carriedRows, cell.carriedNanos, cell.retries, cell.late));
        text.append(cell.errors()).append(cell.retried());
        for (LatencyHistogram times : cell.times) {
            text.append('\n').append(contents(times));
        }
        for (StatementCell statement : cell.statements) {
            text.append('\n').append(statement.calls).append(' ').append(statement.rows);
            text.append(' ').append(contents(statement.times));
        }
        return text.toString();
    }

    private static String contents(LatencyHistogram times) {
        if (times == null) {
            return "none";
        }
        StringBuilder text = new StringBuilder(times.meanMicros() + " " + times.maxMicros());
        times.forEachBucket(
                (nanos, count) -> text.append(' ').append(nanos).append('x').append(count));
        return text.toString();
    }

    @Test
    void garbageIsRefusedWithoutLargeAllocations() {
        Timeline timeline = timeline();
        ClientRecorder recorder = new ClientRecorder(timeline, 0, 0);
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            record(recorder, random, SECOND + i * 1000L);
        }
        recorder.flush();
        byte[] good = timeline.at(SECOND).takeNew().get(0).cell();
        CellCodec.decode(good);
        for (int length = 0; length < good.length; length += 7) {
            byte[] part = Arrays.copyOf(good, length);
            assertThatIllegalArgumentException().isThrownBy(() -> CellCodec.decode(part));
        }
        for (int i = 0; i < 5000; i++) {
            byte[] changed = good.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            decodeOrRefuse(changed);
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            decodeOrRefuse(noise);
        }
    }

    private static void decodeOrRefuse(byte[] bytes) {
        try {
            CellCodec.decode(bytes);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @Test
    void cellOfAnotherOperationIsRefused() {
        IntervalData interval = timeline().at(SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> interval.add(0, 1, new Cell(2)))
                .withMessage("two has 1 statements, not 2");
    }
}
