package io.pgstress.fleet;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.PingData;
import org.jgroups.util.TimeScheduler;

/**
 * Looks for other groups, so that all become one. In each round, a member asks all hosts that it knows, each answers with the
 * addresses of its whole group, and the member reports its view to each address. JGroups lets all members do so equally often and
 * reports to an address as often as it was answered, which are N³ messages a round for N members. Here, an address gets one report
 * a round, and in large groups the members other than the coordinator search less often.
 */
final class GroupSearch extends MERGE3 {
    /** From this number of members on, members other than the coordinator search less often. */
    private static final int MANY_MEMBERS = 8;

    private static final int MAX_FACTOR = 4;

    /** Who has got a report in this round. */
    private final Set<Address> informed = ConcurrentHashMap.newKeySet();

    GroupSearch() {
        setId(ClassConfigurator.getProtocolId(MERGE3.class));
    }

    @Override
    protected synchronized void startInfoSender() {
        if (info_sender_future == null || info_sender_future.isDone()) {
            info_sender_future = timer.scheduleWithDynamicInterval(new Round(), false);
        }
    }

    @Override
    protected void sendInfoMessage(PingData found) {
        if (found != null && informed.add(found.getAddress())) {
            super.sendInfoMessage(found);
        }
    }

    private final class Round implements TimeScheduler.Task {
        @Override
        public void run() {
            informed.clear();
            info_sender.run();
        }

        @Override
        public long nextInterval() {
            int members = view == null ? 1 : view.size();
            int factor = is_coord ? 1 : Math.min(MAX_FACTOR, 1 + members / MANY_MEMBERS);
            return info_sender.nextInterval() * factor;
        }
    }
}
