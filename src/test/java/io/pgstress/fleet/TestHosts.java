package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.measure.NanoClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Hosts without agents: what is sent to them is kept, and time passes only when a test says so. */
final class TestHosts implements NanoClock {
    static final long SECOND = 1_000_000_000L;

    /** A message to a host. */
    record Sent(String host, Message message) {}

    private final AtomicLong now = new AtomicLong(1000 * SECOND);
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final RemoteHosts hosts;

    TestHosts(int number) {
        List<RemoteHost> all = IntStream.range(0, number)
                .mapToObj(i -> new RemoteHost(
                        new Member("h" + i, "10.0.0." + i + ":7800", i),
                        "h" + i,
                        new Message.Work(i, number, 2 * i, 2 * number, List.of(0), "", Map.of(), Map.of()),
                        2))
                .toList();
        hosts = new RemoteHosts(all, (member, message) -> sent.add(new Sent(member.name(), message)));
    }

    RemoteHosts hosts() {
        return hosts;
    }

    RemoteHost host(int number) {
        return hosts.all().get(number);
    }

    /** Everything that was sent so far, of one kind. */
    List<Sent> sent(Class<? extends Message> kind) {
        return sent.stream().filter(s -> kind.isInstance(s.message())).toList();
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    void pass(double seconds) {
        now.addAndGet((long) (seconds * SECOND));
    }

    void sleepUntil(long time) {
        now.accumulateAndGet(time, Math::max);
    }

    /** Waits for other threads. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 10 * SECOND;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("nothing happened in 10 s");
            }
            Thread.onSpinWait();
        }
    }
}
