package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostGroup.GroupListener;
import io.pgstress.fleet.HostGroup.Member;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** Who left and who joined, by the engine's views as they were observed with frozen and partitioned hosts. */
final class MembershipTest {
    private static final Address A = new UUID(0, 1);
    private static final Address B = new UUID(0, 2);
    private static final Address C = new UUID(0, 3);
    private static final Address D = new UUID(0, 4);

    private final List<String> events = new ArrayList<>();

    private final GroupListener noting = new GroupListener() {
        @Override
        public void received(Member from, byte[] message) {
            events.add(from.name() + " sent " + message[0]);
        }

        @Override
        public void joined(Member member) {
            events.add("+" + member.name() + member.incarnation());
        }

        @Override
        public void left(Member member) {
            events.add("-" + member.name() + member.incarnation());
        }
    };

    private Membership seenBy(Address self) {
        return new Membership(
                self,
                (address, incarnation) -> new Member(
                        "ABCD".charAt((int) ((UUID) address).getLeastSignificantBits() - 1) + "", "", incarnation),
                noting);
    }

    private static View view(long number, Address... members) {
        return new View(members[0], number, List.of(members));
    }

    private static MergeView merged(long number, List<Address> members, View... parts) {
        return new MergeView(members.get(0), number, members, List.of(parts));
    }

    @Test
    void hostsComeAndGo() {
        Membership membership = seenBy(B);
        membership.viewAccepted(view(1, A, B));
        membership.viewAccepted(view(2, A, B, C));
        membership.viewAccepted(view(3, B, C));
        assertThat(events).containsExactly("+A1", "+C2", "-A1");
        assertThat(membership.members()).extracting(Member::name).containsExactly("C");
    }

    @Test
    void hostThatWasFrozenIsAnotherWhenItReturns() {
        Membership membership = seenBy(A);
        View before = view(3, A, B, C);
        View without = view(4, A, B);
        membership.viewAccepted(before);
        membership.viewAccepted(without);
        membership.viewAccepted(merged(5, List.of(A, B, C), without, before));
        assertThat(events).containsExactly("+B1", "+C2", "-C2", "+C3");
    }

    @Test
    void frozenHostItselfSeesAllOthersAnewThoughItsViewNeverChanged() {
        Membership membership = seenBy(C);
        View before = view(3, A, B, C);
        membership.viewAccepted(before);
        membership.viewAccepted(merged(5, List.of(A, B, C), view(4, A, B), before));
        assertThat(events).containsExactly("+A1", "+B2", "-A1", "-B2", "+A3", "+B4");
    }

    @Test
    void frozenCoordinatorSeesAllOthersAnewAlsoThoseThatAskedItToJoin() {
        View frozen = view(5, A, B, C, D);
        View without = view(4, B, C, D);
        MergeView merged = merged(6, List.of(A, B, C, D), frozen, without);
        Membership membership = seenBy(A);
        membership.viewAccepted(frozen);
        membership.viewAccepted(merged);
        assertThat(events).containsExactly("+B1", "+C2", "+D3", "-B1", "-C2", "-D3", "+B4", "+C5", "+D6");

        events.clear();
        Membership other = seenBy(C);
        other.viewAccepted(view(3, A, B, C, D));
        other.viewAccepted(without);
        other.viewAccepted(merged);
        assertThat(events).containsExactly("+A1", "+B2", "+D3", "-A1", "+A4");
    }

    @Test
    void partsThatNeverSawEachOtherKeepTheirOwnMembers() {
        Membership membership = seenBy(B);
        View ours = view(7, A, B);
        membership.viewAccepted(ours);
        membership.viewAccepted(merged(9, List.of(C, D, A, B), view(8, C, D), ours));
        assertThat(events).containsExactly("+A1", "+C2", "+D3");
    }

    @Test
    void messageThatArrivesBeforeTheViewWaits() {
        Membership membership = seenBy(A);
        membership.viewAccepted(view(1, A));
        membership.receive(new BytesMessage(A, new byte[] {7}).setSrc(B));
        assertThat(events).isEmpty();
        membership.viewAccepted(view(2, A, B));
        assertThat(events).containsExactly("+B1", "B sent 7");
        membership.close();
        membership.receive(new BytesMessage(A, new byte[] {8}).setSrc(B));
        membership.viewAccepted(view(3, A));
        assertThat(events).hasSize(2);
    }

    @Test
    void messagesThatWaitForAViewAreLimitedInNumberAndBytes() {
        Membership membership = seenBy(A);
        membership.viewAccepted(view(1, A));
        membership.receive(new BytesMessage(A, new byte[9 << 20]).setSrc(C));
        for (byte i = 1; i <= 4; i++) {
            byte[] large = new byte[3 << 20];
            large[0] = i;
            membership.receive(new BytesMessage(A, large).setSrc(B));
        }
        membership.viewAccepted(view(2, A, B, C));
        assertThat(events).containsExactly("+B1", "+C2", "B sent 3", "B sent 4");

        events.clear();
        for (int i = 0; i < 250; i++) {
            membership.receive(new BytesMessage(A, new byte[] {1}).setSrc(D));
        }
        membership.viewAccepted(view(3, A, B, C, D));
        assertThat(events).hasSize(201).startsWith("+D3");
    }
}
