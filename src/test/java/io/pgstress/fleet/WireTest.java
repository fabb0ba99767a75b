package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.fleet.Wire.Envelope;
import io.pgstress.fleet.Wire.WireException;
import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.Phase;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message survives its way through the bytes; everything else is refused with one exception. */
final class WireTest {
    private static final Wire WIRE = new Wire("0.1.0");

    private static List<Message> messages() {
        return List.of(
                new Message.Call(List.of("h1:7800")),
                new Message.Hello("admin@host-9 (10.0.0.1:7900)"),
                new Message.Work(
                        2,
                        3,
                        16,
                        24,
                        List.of(0, 2),
                        "pgstress agent 7f-2",
                        Map.of("client", List.of("8"), "set", List.of("a=1", "b=ü\n\"")),
                        Map.of("custom.yaml", "name: x\nsql: SELECT 1\n")),
                new Message.Refused("no such table"),
                new Message.Ping(7),
                new Message.Pong(7, Long.MIN_VALUE),
                new Message.Ready(-17, 4_000, 100_000, -77),
                new Message.Start(Long.MAX_VALUE),
                new Message.Progress(123, true, false, 4, 5, List.of(new WriteSums(1, 2, 3, 4))),
                new Message.Measure(-5),
                new Message.Pause(2),
                new Message.Paused(List.of(WriteSums.NONE)),
                new Message.Resume(99, 120),
                new Message.Increment(0, Phase.DRAIN, 0, List.of()),
                new Message.Increment(
                        1,
                        Phase.MEASURE,
                        17,
                        List.of(new CellIncrement(0, 1, new byte[] {1, 2, 3}), new CellIncrement(2, 0, new byte[0]))),
                new Message.Ended(
                        "{\"ok\":1}",
                        -17,
                        5_000,
                        List.of(WriteSums.NONE),
                        List.of(new byte[] {5, 6}),
                        List.of(new byte[] {7}),
                        List.of(List.of(List.of(1L, 2L))),
                        7,
                        List.of(new Suspect(Suspect.Kind.CLIENT, 1.5, 1.75))),
                new Message.Stopping("FIRST_ERROR", "42P01: no table"),
                new Message.Stop(5, true),
                new Message.Beat(),
                new Message.Lease(Long.MIN_VALUE + 1),
                new Message.Usage(Phase.WARMUP, 3, 10.25, 1, 0.5));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messageIsReadAsItWasWritten(Message message) throws WireException {
        Envelope read = WIRE.decode(WIRE.encode(-3, message));
        assertThat(read.test()).isEqualTo(-3);
        assertThat(read.message()).usingRecursiveComparison().isEqualTo(message);
        assertThat(read.message()).hasSameClassAs(message);
    }

    @Test
    void everyKindOfMessageIsTested() {
        Set<Class<?>> tested = messages().stream().map(Message::getClass).collect(Collectors.toSet());
        assertThat(tested)
                .containsExactlyInAnyOrder(
                        Arrays.stream(Message.class.getPermittedSubclasses()).toArray(Class[]::new));
    }

    @Test
    void otherVersionIsRefusedAndNamed() {
        byte[] old = new Wire("0.0.9").encode(0, new Message.Beat());
        assertThatThrownBy(() -> WIRE.decode(old))
                .isInstanceOf(WireException.class)
                .hasMessage("the other host has version 0.0.9 of this program, this one 0.1.0");
    }

    @Test
    void garbageIsRefusedInOneLine() {
        Random random = new Random(3);
        for (Message message : messages()) {
            byte[] good = WIRE.encode(1, message);
            for (int length = 0; length < good.length; length++) {
                byte[] part = Arrays.copyOf(good, length);
                assertThatThrownBy(() -> WIRE.decode(part))
                        .isInstanceOf(WireException.class)
                        .message()
                        .isNotBlank()
                        .hasLineCount(1);
            }
            for (int i = 0; i < 500; i++) {
                byte[] changed = good.clone();
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                decodeOrRefuse(changed);
            }
        }
        for (int i = 0; i < 5000; i++) {
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            decodeOrRefuse(noise);
        }
    }

    private static void decodeOrRefuse(byte[] bytes) {
        try {
            assertThat(WIRE.decode(bytes).message()).isNotNull();
        } catch (WireException e) {
            assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
        }
    }

    @Test
    void textOfWorkHasNoPassword() {
        assertThat(new Message.Work(0, 1, 0, 1, List.of(0), "", Map.of("password", List.of("secret")), Map.of())
                        .toString())
                .doesNotContain("secret");
    }
}
