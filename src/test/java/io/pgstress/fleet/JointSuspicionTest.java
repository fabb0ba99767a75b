package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.JGroupsStack.JointSuspicion;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** A host that is cut off must not form a group with those that it notices last. */
final class JointSuspicionTest {
    private final Address self = UUID.randomUUID();
    private final Address first = UUID.randomUUID();
    private final Address second = UUID.randomUUID();
    private final Address third = UUID.randomUUID();
    private final List<Object> suspected = new ArrayList<>();
    private final Driven heartbeats = new Driven();

    /** Intervals pass as the test says. */
    private final class Driven extends JointSuspicion {
        Driven() {
            setTimeout(3000).setInterval(1000);
            num_bits = computeBits();
            setAddress(self);
            setProtocolStack(new ProtocolStack());
            setUpProtocol(new Protocol() {
                @Override
                public Object up(Event event) {
                    suspected.add(event.getArg());
                    return event;
                }
            });
            setDownProtocol(new Protocol() {
                @Override
                public Object down(Event event) {
                    return event;
                }
            });
            handleViewChange(View.create(self, 1, self, first, second, third));
        }

        @Override
        protected void startHeartbeatSender() {}

        @Override
        protected void startTimeoutChecker() {}

        void intervalWith(Address... heard) {
            for (Address each : heard) {
                update(each, false, false);
            }
            createTimeoutChecker().run();
        }
    }

    @Test
    void whoeverIsSilentNearlyAsLongIsSuspectedToo() {
        heartbeats.intervalWith(first, second, third);
        heartbeats.intervalWith(second, third);
        heartbeats.intervalWith(third);
        assertThat(suspected).isEmpty();
        heartbeats.intervalWith(third);
        assertThat(suspected)
                .hasSize(1)
                .first()
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrder(first, second);
    }

    @Test
    void whoeverWasHeardSinceIsNot() {
        heartbeats.intervalWith(first, second, third);
        for (int i = 0; i < 2; i++) {
            heartbeats.intervalWith(second, third);
        }
        assertThat(suspected).isEmpty();
        heartbeats.intervalWith(second, third);
        assertThat(suspected).containsExactly(List.of(first));
    }
}
