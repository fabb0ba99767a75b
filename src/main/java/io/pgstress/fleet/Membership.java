package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.GroupListener;
import io.pgstress.fleet.HostGroup.Member;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.ViewId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns JGroups' views into members that come and go, and calls the listener, one call at a time. */
final class Membership implements Receiver {
    private static final Logger LOG = LoggerFactory.getLogger("io.pgstress.fleet");
    private static final int MAX_EARLY = 200;
    private static final int MAX_EARLY_BYTES = 8 << 20;

    private final Address self;
    private final BiFunction<Address, Long, Member> make;
    private final GroupListener listener;

    /** Held while the listener is called. Never needed to read {@link #others}, so the listener may wait for those who do. */
    private final ReentrantLock turn = new ReentrantLock();

    /** Messages whose senders are in no view yet: a view may arrive after the first message of a member. */
    private final Queue<Message> early = new ArrayDeque<>();

    private long earlyBytes;
    private boolean isDropping;
    private volatile Map<Address, Member> others = Map.of();
    private @Nullable ViewId current;
    private long incarnations;
    private volatile boolean isClosed;

    /** @param make makes a member of an address and a number */
    Membership(Address self, BiFunction<Address, Long, Member> make, GroupListener listener) {
        this.self = self;
        this.make = make;
        this.listener = listener;
    }

    List<Member> members() {
        return List.copyOf(others.values());
    }

    /** Where a member is; null if it has left. */
    @Nullable
    Address address(Member member) {
        for (Map.Entry<Address, Member> other : others.entrySet()) {
            if (other.getValue().equals(member)) {
                return other.getKey();
            }
        }
        return null;
    }

    Set<Address> addresses() {
        return others.keySet();
    }

    void close() {
        isClosed = true;
    }

    /** Runs it when the listener is not called otherwise. */
    private void inTurn(Runnable event) {
        turn.lock();
        try {
            event.run();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void viewAccepted(View view) {
        inTurn(() -> accept(view));
    }

    private void accept(View view) {
        Map<Address, Member> before = others;
        Set<Address> stayed = stayed(view);
        Map<Address, Member> now = new LinkedHashMap<>();
        for (Address address : view.getMembers()) {
            Member known = stayed.contains(address) ? before.get(address) : null;
            if (!address.equals(self)) {
                now.put(address, known == null ? make.apply(address, ++incarnations) : known);
            }
        }
        others = Collections.unmodifiableMap(now);
        current = view.getViewId();
        if (!isClosed) {
            before.values().stream()
                    .filter(member -> !now.containsValue(member))
                    .forEach(listener::left);
            now.values().stream()
                    .filter(member -> !before.containsValue(member))
                    .forEach(listener::joined);
        }
        List<Message> waiting = List.copyOf(early);
        early.clear();
        earlyBytes = 0;
        isDropping = false;
        waiting.forEach(this::deliver);
    }

    /**
     * The members that have been with us without a break. After a merge, these are the ones of our part: a member that some
     * others had lost was in another part, even if we had not noticed, because we were frozen ourselves.
     */
    private Set<Address> stayed(View view) {
        Set<Address> stayed = new HashSet<>(others.keySet());
        if (view instanceof MergeView merge) {
            View ours = merge.getSubgroups().stream()
                    .filter(part -> part.getViewId().equals(current))
                    .findFirst()
                    .orElse(null);
            stayed.retainAll(ours == null ? List.of() : ours.getMembers());
            for (View part : merge.getSubgroups()) {
                if (ours != null && isOutdated(ours, part)) {
                    stayed.removeAll(part.getMembers());
                }
            }
        }
        return stayed;
    }

    /**
     * Parts may overlap: a host that was frozen still has a view with those that went on without it. Theirs then lacks the
     * creator of its view, or has the same creator and a higher number.
     */
    private static boolean isOutdated(View part, View other) {
        Address creator = part.getCreator();
        Address otherCreator = other.getCreator();
        boolean isFollowed = part.containsMember(otherCreator);
        boolean isFollowing = other.containsMember(creator);
        return isFollowed
                && (!isFollowing
                        || part.getViewId().getId() <= other.getViewId().getId())
                && !part.getViewId().equals(other.getViewId());
    }

    @Override
    public void receive(Message message) {
        inTurn(() -> deliver(message));
    }

    private void deliver(Message message) {
        Member from = others.get(message.getSrc());
        if (from == null) {
            wait(message);
        } else if (!isClosed) {
            byte[] bytes = new byte[message.getLength()];
            System.arraycopy(message.getArray(), message.getOffset(), bytes, 0, bytes.length);
            listener.received(from, bytes);
        }
    }

    private void wait(Message message) {
        early.add(message);
        earlyBytes += message.getLength();
        while (early.size() > MAX_EARLY || earlyBytes > MAX_EARLY_BYTES) {
            Message oldest = early.remove();
            earlyBytes -= oldest.getLength();
            if (!isDropping) {
                isDropping = true;
                LOG.warn("messages of hosts outside the group are dropped, because too many wait");
            }
        }
    }
}
