package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.TestHosts.Sent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the command of a test does with messages of its hosts, and of others, before the load. */
final class HostEventsTest {
    private final TestHosts fleet = new TestHosts(3);
    private final FleetPauses pauses = new FleetPauses(fleet.hosts(), fleet, fleet::sleepUntil);
    private final HostEvents events = new HostEvents(fleet.hosts(), fleet, pauses);

    @AfterEach
    void close() {
        events.close();
        pauses.close();
    }

    @Test
    void hostThatLeavesIsLostOnceAndTakesPartNoMore() {
        events.left(fleet.host(1).member());
        assertThat(fleet.host(1).lost()).isEqualTo("its process ended, or hosts could not reach each other");
        assertThat(fleet.sent(Message.Stop.class)).containsExactly(new Sent("h1", new Message.Stop(0, true)));
        events.left(fleet.host(1).member());
        events.received(fleet.host(1).member(), new Message.Refused("something else"));
        assertThat(fleet.host(1).lost()).startsWith("its process ended");
        assertThat(fleet.sent(Message.Stop.class)).hasSize(1);
        events.received(fleet.host(1).member(), new Message.Ping(1));
        assertThat(fleet.sent(Message.Pong.class)).isEmpty();
    }

    @Test
    void refusalSaysWhy() {
        events.received(fleet.host(0).member(), new Message.Refused("works for another"));
        assertThat(fleet.host(0).hasRefused()).isTrue();
        assertThat(fleet.host(0).lost()).isEqualTo("works for another");
    }

    @Test
    void messageThatDoesNotFitIsALoss() {
        events.received(fleet.host(2).member(), new Message.Stopping("NO_SUCH_CAUSE", ""));
        assertThat(fleet.host(2).lost()).contains("cannot be used").contains("NO_SUCH_CAUSE");
        assertThat(fleet.hosts().active()).hasSize(2);
    }

    @Test
    void othersAreIgnored() {
        Member stranger = new Member("h0", "10.0.0.0:7800", 99);
        events.received(stranger, new Message.Ping(1));
        events.received(stranger, new Message.Refused("no"));
        events.left(stranger);
        assertThat(fleet.hosts().active()).hasSize(3);
        assertThat(fleet.sent(Message.Pong.class)).isEmpty();
    }

    @Test
    void answersWithItsClock() {
        events.received(fleet.host(0).member(), new Message.Ping(17));
        assertThat(fleet.sent(Message.Pong.class)).hasSize(1).allSatisfy(sent -> {
            assertThat(sent.host()).isEqualTo("h0");
            assertThat(((Message.Pong) sent.message()).number()).isEqualTo(17);
        });
    }
}
