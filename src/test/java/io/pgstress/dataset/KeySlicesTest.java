package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.testing.Runs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every client gets ids while some are left, and no two get the same; slices cover all ids in turn, about as large as a run needs. */
final class KeySlicesTest {
    @Test
    void everyClientGetsSomeOfFewIds() {
        KeyHandout handout = new KeyHandout(1000, 1, HostShare.whole(1000));
        Set<Long> places = new HashSet<>();
        for (int client = 0; client < 1000; client++) {
            places.add(handout.share().next());
        }
        assertThat(places).hasSize(1000).doesNotContain(-1L);
    }

    @Test
    void handsOutAllIdsOnceAndAgainAfterAReset() {
        KeyHandout handout = new KeyHandout(1001, 1, HostShare.whole(3));
        List<KeyHandout.Share> shares = List.of(handout.share(), handout.share(), handout.share());

        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
        handout.reset();
        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
    }

    @Test
    void hostsHandOutDisjointRangesThatCoverAllIds() {
        List<Long> places = new ArrayList<>();
        int[] clients = {4, 3, 3};
        int first = 0;
        for (int host = 0; host < clients.length; host++) {
            KeyHandout handout = new KeyHandout(1001, 1, new HostShare(host, 3, first, clients[host], 10));
            places.addAll(takeAll(List.of(handout.share(), handout.share())));
            first += clients[host];
        }
        assertThat(places).hasSize(1001).doesNotHaveDuplicates();
    }

    @Test
    void aHostWithoutIdsIsRefused() {
        assertThatThrownBy(() -> new KeyHandout(2, 1, new HostShare(0, 3, 0, 1, 3)))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("--agents: 2 ids are too few for the 3 clients of 3 hosts, which use each id once");
    }

    private static List<Long> takeAll(List<KeyHandout.Share> shares) {
        List<Long> places = new ArrayList<>();
        for (KeyHandout.Share share : shares) {
            for (long place = share.next(); place >= 0; place = share.next()) {
                places.add(place);
            }
        }
        return places;
    }

    @Test
    void slicesGrowAndCoverAllIdsAgainAndAgain() {
        KeySlices slices = new KeySlices(1000, 7);
        slices.divide(100);
        KeyHandout handout = new KeyHandout(slices, HostShare.whole(2), HostShare.whole(2));
        KeyHandout.Share share = handout.share();

        List<Integer> sizes = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            List<Long> drawn = new ArrayList<>();
            do {
                slices.take();
                handout.reset();
                int before = drawn.size();
                for (long index = share.next(); index >= 0; index = share.next()) {
                    drawn.add(index);
                }
                sizes.add(drawn.size() - before);
            } while (slices.end() < 1000);
            assertThat(drawn).hasSize(1000).doesNotHaveDuplicates();
        }
        assertThat(sizes)
                .startsWith(100, 100, 100, 100, 100, 125, 156, 219)
                .isSubsetOf(100, 125, 156, 219, 250, 312, 438);
    }

    /** The copy table has no rows of the former slice any more. */
    @Test
    void clientForgetsWhatItHasTakenOfTheFormerSlice() {
        KeySlices slices = new KeySlices(1000, 7);
        slices.divide(100);
        slices.take();
        KeyHandout handout = new KeyHandout(slices, HostShare.whole(2), HostShare.whole(2));
        List<KeyHandout.Share> shares = List.of(handout.share(), handout.share());
        shares.forEach(KeyHandout.Share::next);

        slices.take();
        handout.reset();

        List<Long> present = LongStream.range(slices.begin(), slices.end())
                .map(slices::at)
                .boxed()
                .toList();
        assertThat(takeAll(shares)).containsExactlyInAnyOrderElementsOf(present);
    }

    @Test
    void hostsDivideEachSlice() {
        List<Long> drawn = new ArrayList<>();
        for (int host = 0; host < 3; host++) {
            KeySlices slices = new KeySlices(1000, 7);
            slices.divide(100);
            slices.take();
            slices.take();
            HostShare share = new HostShare(host, 3, host, 1, 3);
            KeyHandout.Share ids = new KeyHandout(slices, share, share).share();
            for (long index = ids.next(); index >= 0; index = ids.next()) {
                drawn.add(index);
            }
        }
        assertThat(drawn).hasSize(100).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "find_delete, '', 16, 32000",
        "find_delete, '', 1000, 50000",
        "find_delete, '5000', 16, 160000",
        "'find_first:3,find_delete:1', '5000', 16, 42000",
        "find_delete, '10', 16, 700",
    })
    void firstSliceIsWhatTheLoadNeeds(String op, String rate, int clients, long atMost) {
        RunSpec spec = Runs.spec(
                "--url jdbc:postgresql://a/db -t t --warmup 10 -T 20 --op " + op, rate.isEmpty() ? "" : "-R " + rate);
        int number = op.contains(",") ? 1 : 0;
        double needed = rate.isEmpty() ? clients : Double.parseDouble(rate) * 30 / (number == 0 ? 1 : 4);

        assertThat(KeySlices.firstSlice(spec, number, HostShare.whole(clients))).isBetween((long) needed, atMost);
    }
}
