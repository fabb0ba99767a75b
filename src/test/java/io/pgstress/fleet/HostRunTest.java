package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostRun.CommandClock;
import io.pgstress.plan.HostShare;
import io.pgstress.runner.Stop.StopCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An agent's part of a test follows the command, and ends without it. */
final class HostRunTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<Message> sent = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(-5 * SECOND); // clocks may be negative
    private final HostRun run = new HostRun(
            new Message.Work(1, 3, 4, 10, List.of(0), "", Map.of(), Map.of()),
            (run, threads) -> List.of(),
            sent::add,
            now::get);

    @Test
    void noticesASilentCommand() {
        now.addAndGet(HostRun.MAX_SILENCE_NANOS);
        assertThat(run.isCommandSilent()).isFalse();
        now.incrementAndGet();
        assertThat(run.isCommandSilent()).isTrue();
        run.received(new Message.Beat());
        assertThat(run.isCommandSilent()).isFalse();
        now.addAndGet(11 * SECOND);
        run.stop(StopCause.COMMAND_LOST, true);
        assertThat(run.isCommandSilent()).isFalse(); // it has ended: nothing more to do
    }

    /** What was sent while it was stopped is read late, and must not let it begin anything. */
    @Test
    void beginsNothingAfterItsLease() {
        assertThat(run.mayBegin()).isFalse();
        run.received(new Message.Lease(now.get()));
        assertThat(run.mayBegin()).isTrue();
        long stopped = now.get();
        now.addAndGet(Message.Lease.NANOS + 1);
        run.received(new Message.Lease(stopped));
        assertThat(run.mayBegin()).isFalse();
        run.received(new Message.Lease(now.get()));
        assertThat(run.mayBegin()).isTrue();
        run.beginNoMore();
        assertThat(run.mayBegin()).isFalse();
    }

    /** After hours, two clocks may have drifted by seconds; a lease would be as much longer than the command takes it to be. */
    @Test
    void theCommandsClockIsFollowedAsItDrifts() throws InterruptedException {
        AtomicLong ahead = new AtomicLong(100 * SECOND);
        AtomicReference<CommandClock> command = new AtomicReference<>();
        command.set(new CommandClock(
                now::get,
                message -> command.get()
                        .answered(new Message.Pong(((Message.Ping) message).number(), now.get() + ahead.get()))));
        assertThat(command.get().ours(5 * SECOND)).isEqualTo(5 * SECOND);
        assertThat(command.get().estimate()).isEqualTo(new ClockOffset(100 * SECOND, 0));
        assertThat(command.get().ours(now.get() + 100 * SECOND)).isEqualTo(now.get());
        ahead.addAndGet(7 * SECOND);
        now.addAndGet(40_000 * SECOND);
        command.get().ask();
        assertThat(command.get().ours(now.get() + 107 * SECOND)).isEqualTo(now.get());
        assertThat(command.get().offset()).isEqualTo(new ClockOffset(107 * SECOND, 0));
    }

    @Test
    void saysThatItIsAliveBeforeTheLoad() {
        run.report();
        assertThat(sent).containsExactly(new Message.Beat());
    }

    @Test
    void itsShareIsThatOfItsNumber() {
        assertThat(run.share(3)).isEqualTo(new HostShare(1, 3, 4, 3, 10));
    }

    @Test
    void followsTheAnnouncedEnd() {
        run.received(new Message.Stop(7 * SECOND, false));
        assertThat(run.measureEnds(now.get())).isEqualTo(7 * SECOND);
        assertThat(run.measureEnds(8 * SECOND)).isEqualTo(8 * SECOND);
        run.received(new Message.Stop(0, true));
        assertThat(run.measureEnds(now.get())).isEqualTo(now.get());
    }

    @Test
    void endsByItselfAtOnceIfNothingWasAnnounced() {
        assertThat(run.measureEnds(now.get())).isEqualTo(now.get());
    }
}
