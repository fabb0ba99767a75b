package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.fleet.HostGroup.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hosts in one JVM that find, lose and find each other again, and what they send. */
final class GroupTest {
    @Test
    void messagesArriveOnceInOrderAndWhole() throws Exception {
        List<Integer> ports = TestHost.freePorts(2);
        try (TestHost a = new TestHost("a", ports.get(0), ports, null);
                TestHost b = new TestHost("b", ports.get(1), ports, null)) {
            Member atA = a.nextJoined();
            Member atB = b.nextJoined();
            assertThat(atA.name()).isEqualTo("b");
            assertThat(atA.address()).isEqualTo("127.0.0.1:" + ports.get(1));
            assertThat(a.group().members()).containsExactly(atA);
            assertThat(b.group().members()).containsExactly(atB);

            byte[] large = new byte[5_000_000];
            new Random(1).nextBytes(large);
            for (int i = 0; i < 500; i++) {
                assertThat(a.group().send(atA, ("one " + i).getBytes(StandardCharsets.UTF_8)))
                        .isTrue();
            }
            a.group().send(atA, large);
            for (int i = 0; i < 100; i++) {
                a.group().sendToAll(("all " + i).getBytes(StandardCharsets.UTF_8));
            }
            for (int i = 0; i < 500; i++) {
                assertThat(b.nextText()).isEqualTo("one " + i);
            }
            assertThat(Arrays.equals(b.next("received").message(), large)).isTrue();
            for (int i = 0; i < 100; i++) {
                assertThat(b.nextText()).isEqualTo("all " + i);
            }
            b.group().send(atB, "back".getBytes(StandardCharsets.UTF_8));
            assertThat(a.nextText()).isEqualTo("back");

            b.close();
            assertThat(a.next("left").member()).isEqualTo(atA);
            assertThat(a.group().send(atA, new byte[1])).isFalse();
            assertThat(a.group().members()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void memberThatWasLostComesBackAsAnother() throws Exception {
        List<Integer> ports = TestHost.freePorts(2);
        try (TestHost a = TestHost.fast("a", ports.get(0), ports);
                TestHost b = TestHost.fast("b", ports.get(1), ports)) {
            Member atA = a.nextJoined();
            Member atB = b.nextJoined();

            DISCARD network = new DISCARD().discardAll(true);
            b.group().channel().getProtocolStack().insertProtocol(network, ProtocolStack.Position.ABOVE, TCP.class);
            assertThat(a.next("left").member()).isEqualTo(atA);
            assertThat(b.next("left").member()).isEqualTo(atB);
            network.discardAll(false);

            Member again = a.nextJoined();
            assertThat(again.name()).isEqualTo("b");
            assertThat(again).isNotEqualTo(atA);
            assertThat(b.nextJoined()).isNotEqualTo(atB);
            assertThat(a.group().send(atA, new byte[1])).isFalse();
            assertThat(a.group().send(again, "hello".getBytes(StandardCharsets.UTF_8)))
                    .isTrue();
            assertThat(b.nextText()).isEqualTo("hello");
        }
    }

    /** Each starts a group of its own, because the third host, the only one that they know, is not there yet. */
    @Test
    @Tag("slow")
    @Timeout(90)
    void hostsThatKnowOnlyAThirdOneFindEachOther() throws Exception {
        List<Integer> ports = TestHost.freePorts(3);
        List<Integer> seed = ports.subList(0, 1);
        try (TestHost b = TestHost.fast("b", ports.get(1), seed);
                TestHost c = TestHost.fast("c", ports.get(2), seed);
                TestHost a = TestHost.fast("a", ports.get(0), List.of())) {
            for (TestHost host : List.of(a, b, c)) {
                while (host.group().members().size() < 2) {
                    host.nextJoined();
                }
            }
            assertThat(b.group().members()).extracting(Member::name).containsExactlyInAnyOrder("a", "c");
        }
    }

    @Test
    void addressThatOthersReachNeedsTls() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 7800);
        InetSocketAddress open = new InetSocketAddress("192.0.2.1", 7800);
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no-such-host.invalid", 7800);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupSettings("a", open, List.of(), null, false))
                .withMessageContaining("without TLS, only a loopback address is accepted, not 192.0.2.1");
        assertThat(new GroupSettings("a", open, List.of(), null, true).isInsecure())
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupSettings("a", everywhere, List.of(), null, true))
                .withMessageContaining("0.0.0.0 is not an address that other hosts can reach");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupSettings("a", unknown, List.of(), null, true))
                .withMessage("unknown host: no-such-host.invalid");
    }

    @Test
    void hostsAreAlsoFoundByTheAddressesOfAName() throws Exception {
        int port = TestHost.freePorts(1).get(0);
        String seed = "dns:localhost:" + port;
        InetSocketAddress first = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        InetSocketAddress second = new InetSocketAddress("127.0.0.2", port);
        assertThat(Seeds.discovery(List.of(seed)).isDynamic()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> Seeds.discovery(List.of(seed, "127.0.0.1:1")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Seeds.discovery(List.of("127.0.0.1")))
                .withMessage("not HOST:PORT: 127.0.0.1");
        try (TestHost a = new TestHost(new GroupSettings("a", first, List.of(seed), null, false));
                TestHost b = new TestHost(new GroupSettings("b", second, List.of(seed), null, false))) {
            assertThat(b.nextJoined().name()).isEqualTo("a");
            assertThat(a.nextJoined().name()).isEqualTo("b");
        }
    }
}
