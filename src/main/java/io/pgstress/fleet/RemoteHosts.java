package io.pgstress.fleet;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hosts of a test, in the order of their numbers, and messages to them. Thread-safe. */
final class RemoteHosts {
    private final List<RemoteHost> all;
    private final Map<Member, RemoteHost> byMember;
    private final BiConsumer<Member, Message> send;

    /** @param send sends a message to an agent */
    RemoteHosts(List<RemoteHost> all, BiConsumer<Member, Message> send) {
        this.all = List.copyOf(all);
        this.byMember = all.stream().collect(Collectors.toUnmodifiableMap(RemoteHost::member, Function.identity()));
        this.send = send;
    }

    List<RemoteHost> all() {
        return all;
    }

    /** Those that take part: they have neither ended nor been lost. */
    List<RemoteHost> active() {
        return all.stream().filter(RemoteHost::isActive).toList();
    }

    /** Null if it takes no part in the test. */
    @Nullable
    RemoteHost of(Member member) {
        return byMember.get(member);
    }

    boolean areAllLost() {
        return all.stream().allMatch(host -> host.lost() != null);
    }

    void send(RemoteHost host, Message message) {
        send.accept(host.member(), message);
    }

    void toActive(Message message) {
        active().forEach(host -> send(host, message));
    }
}
