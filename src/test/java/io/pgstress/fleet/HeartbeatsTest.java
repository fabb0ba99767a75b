package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostEvents.Heartbeats;
import io.pgstress.fleet.TestHosts.Sent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host from which nothing comes for 4 s is lost; waiting messages are no silence. */
final class HeartbeatsTest {
    private final TestHosts fleet = new TestHosts(3);
    private final List<String> lost = new ArrayList<>();
    private final Heartbeats watch = new Heartbeats(fleet.hosts(), fleet, this::lost, e -> lost.add(e.toString()));

    @BeforeEach
    void loadBegins() {
        fleet.hosts().all().forEach(host -> host.progress(new Message.Progress(1, true, true, 0, 0, List.of())));
    }

    private void lost(RemoteHost host, String why) {
        assertThat(host.lost(why, 0)).isTrue();
        lost.add(host.name() + ": " + why);
    }

    /** Time passes as the watching thread sees it. */
    private void pass(double seconds) {
        for (int i = 0; i < Math.round(seconds * 20); i++) {
            fleet.pass(0.05);
            watch.look();
        }
    }

    private void hear(int... hosts) {
        for (int host : hosts) {
            watch.handle(fleet.host(host), () -> {});
        }
    }

    @Test
    void onlyTheSilentHostIsLost() {
        pass(3);
        hear(0, 2);
        pass(0.95);
        assertThat(lost).isEmpty();
        pass(0.1);
        assertThat(lost).containsExactly("h1: silent for 4 s");
        assertThat(fleet.hosts().active()).containsExactly(fleet.host(0), fleet.host(2));
        hear(0, 2);
        pass(3.9);
        assertThat(lost).hasSize(1);
    }

    @Test
    void hostMayBeSilentForLongerBeforeTheLoad() {
        TestHosts connecting = new TestHosts(2);
        List<String> gone = new ArrayList<>();
        Heartbeats early = new Heartbeats(
                connecting.hosts(),
                connecting,
                (host, why) -> gone.add(host.name() + ": " + why),
                e -> gone.add("" + e));
        for (double seconds : List.of(5.0, 4.9)) {
            connecting.pass(seconds);
            early.handle(connecting.host(0), () -> {});
        }
        early.look();
        assertThat(gone).isEmpty();
        connecting.pass(0.2);
        early.look();
        assertThat(gone).containsExactly("h1: silent for 10 s");
    }

    @Test
    void hostsThatTakePartHearTheCommandEverySecond() {
        pass(3.5);
        assertThat(fleet.sent(Message.Lease.class)).hasSize(9);
        assertThat(fleet.host(1).lost("stopped", 0)).isTrue();
        hear(0, 2);
        pass(1);
        assertThat(fleet.sent(Message.Lease.class))
                .extracting(Sent::host)
                .endsWith("h0", "h2")
                .hasSize(11);
    }

    /** A host that hears the command, which does not hear it, may not begin operations for longer than the command knows. */
    @Test
    void leaseCountsFromWhenTheHostWasHeard() {
        pass(0.5);
        hear(1);
        pass(1.5);
        assertThat(fleet.sent(Message.Lease.class))
                .filteredOn(sent -> sent.host().equals("h1"))
                .extracting(Sent::message)
                .containsOnly(new Message.Lease(1000 * TestHosts.SECOND + TestHosts.SECOND / 2));
        assertThat(fleet.host(0).leased()).isEqualTo(1000 * TestHosts.SECOND);
    }

    /** Before the load, a host may be silent for longer than a lease; its clients begin with the load, and not before they were heard. */
    @Test
    void leaseOfTheStartIsNotTakenBack() {
        TestHosts connecting = new TestHosts(1);
        Heartbeats early =
                new Heartbeats(connecting.hosts(), connecting, (host, why) -> lost(host, why), e -> lost.add("" + e));
        connecting.pass(9);
        long start = connecting.nanoTime();
        connecting.hosts().lease(connecting.host(0), start);
        connecting.pass(0.5);
        early.look();
        assertThat(lost).isEmpty();
        assertThat(connecting.host(0).leased()).isEqualTo(start);
        assertThat(connecting.sent(Message.Lease.class))
                .extracting(Sent::message)
                .containsOnly(new Message.Lease(start));
    }

    @Test
    void messagesThatWaitAreNoSilence() {
        watch.handle(fleet.host(0), () -> pass(6));
        assertThat(lost).isEmpty();
        hear(0);
        pass(3.9);
        hear(0, 1);
        pass(0.2);
        assertThat(lost).containsExactly("h2: silent for 4 s");
    }

    @Test
    void commandThatStoodStillIsTheReason() {
        fleet.pass(12.3);
        watch.look();
        assertThat(lost).hasSize(3).allMatch(text -> text.endsWith("the command stood still for 12.3 s"));
    }
}
