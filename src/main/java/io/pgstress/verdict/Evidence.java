package io.pgstress.verdict;

import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import io.pgstress.verdict.SilentServers.Silence;
import io.pgstress.verdict.SlowOperations.Hit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run knows about itself beyond its result; unavailable for a result read from a file. Anything not added is unknown and
 * not judged. Not thread-safe.
 */
public final class Evidence {
    private static final double MOSTLY = 0.5;

    /** With fewer operations, the threads' other waits are as long as those of the operations. */
    private static final int MIN_OPERATIONS = 30;

    /** Seconds between the readings at the start and end of the measurement, and the wall clock's advance meanwhile. */
    record Clocks(double readSeconds, double wallAheadSeconds) {}

    /**
     * Possible disturbances of the client.
     *
     * @param busy the busy share of its host's CPUs, 0 to 1; below 0: unknown
     * @param usableBusy that of the CPUs to which the client is limited
     * @param isShared whether a server is on the same host
     */
    record Host(double busy, double usableBusy, boolean isShared) {
        /** The client may use all CPUs. */
        Host(double busy, boolean isShared) {
            this(busy, busy, isShared);
        }
    }

    final List<Remark> cautions = new ArrayList<>();
    final List<Remark> failedChecks = new ArrayList<>();
    final List<Suspect> suspects = new ArrayList<>();
    private final Map<Integer, List<Suspect>> ofHosts = new LinkedHashMap<>();
    private final List<Hit> samples = new ArrayList<>();
    final List<Silence> silences = new ArrayList<>();
    private final List<Silence> late = new ArrayList<>();
    String earlyEnd = "";
    boolean isEarlyEndValid;
    String warmupCut = "";
    Map<String, Integer> hungClients = Map.of();
    final List<Remark> openLocks = new ArrayList<>();
    int servers;
    String silentTogetherHint = "";

    @Nullable
    LittlesLaw littlesLaw;

    @Nullable
    Clocks clocks;

    @Nullable
    Host host;

    @Nullable
    ClientTurns turns;

    AnswerTimes answers = AnswerTimes.NONE;

    /** Adds a problem that was known before the load began. */
    public void caution(Remark remark) {
        cautions.add(remark);
    }

    /**
     * Records that the run ended early.
     *
     * @param isValid whether its figures are still valid
     */
    public void endedEarly(String why, boolean isValid) {
        earlyEnd = why;
        isEarlyEndValid = isValid;
    }

    /** Records what the warm-up had not reached at its limit. */
    public void warmupCut(String missing) {
        warmupCut = missing;
    }

    /** Sets the number of clients still in an operation from before the measurement at the end of the drain, by what they wait for. */
    public void hungClients(Map<String, Integer> byWait) {
        hungClients = Map.copyOf(byWait);
    }

    /** Adds the remark on the locks of a server for which sessions of the run waited at the end of the drain. */
    public void openLocks(Remark remark) {
        openLocks.add(remark);
    }

    /** Sets rate and mean latency of a closed loop without pauses. */
    public void littlesLaw(LittlesLaw law) {
        littlesLaw = law;
    }

    /**
     * Sets when the client's process was read at the start and end of the measurement.
     *
     * @param readSeconds seconds between the readings, pauses excluded
     * @param wallAheadSeconds seconds by which the wall clock advanced more than the clock used for latencies
     */
    public void clocks(double readSeconds, double wallAheadSeconds) {
        clocks = new Clocks(readSeconds, wallAheadSeconds);
    }

    /**
     * Sets the state of the client's host.
     *
     * @param busy busy share of its CPUs, 0 to 1; below 0: unknown
     * @param usableBusy that of the CPUs to which the client is limited; below 0: it may use all
     * @param isShared whether a server also runs on it
     */
    public void host(double busy, double usableBusy, boolean isShared) {
        host = new Host(busy, usableBusy < 0 ? busy : usableBusy, isShared);
    }

    public void turns(ClientTurns found) {
        turns = found;
    }

    /** The client's own waiting; null if unknown, or if it is the mean of too few operations. */
    @Nullable
    ClientTurns turns(long operations) {
        return operations < MIN_OPERATIONS ? null : turns;
    }

    /** Sets when operations were answered. */
    public void answers(AnswerTimes found) {
        answers = found;
    }

    public void suspect(Suspect suspect) {
        suspects.add(suspect);
    }

    /** Adds what may have delayed the clients of one of several hosts; that host judges its own standstills. */
    public void suspectsOfHost(int host, List<Suspect> itsOwn) {
        ofHosts.put(host, itsOwn.stream().map(suspect -> suspect.on(host)).toList());
    }

    /** What may have delayed operations in the clients' process or on their machine. */
    public List<Suspect> suspectsOfClient() {
        return suspects.stream().filter(suspect -> suspect.kind().isOfClient).toList();
    }

    public void silence(Silence silence) {
        silences.add(silence);
    }

    /** Adds samples within operations on one server. Of the long ones, they tell what each waited for. */
    public void sampled(List<Hit> found) {
        samples.addAll(found);
        SlowOperations.suspects(found).forEach(this::suspect);
    }

    /** The causes of the longest operations. */
    LongTimes longTimes() {
        return answers.longTimes(
                Stream.concat(suspects.stream(), ofHosts.values().stream().flatMap(List::stream))
                        .toList(),
                (operation, from, to) -> SlowOperations.waitOfOthers(samples, operation, from, to));
    }

    /** The stalls of all nodes together, also those that are too short for an outage, without those of the client. */
    List<Outage> stalls() {
        return withoutStandstills(answers.stalls());
    }

    /** Adds a period in which a check of a server waited for its answer: operations at that time may have waited, too. */
    public void lateAnswer(Silence unanswered) {
        late.add(unanswered);
        suspect(new Suspect(
                Kind.SERVER,
                unanswered.name(),
                unanswered.asked(),
                unanswered.to(),
                unanswered.to() - unanswered.asked()));
    }

    /**
     * Sets the servers whose silences are known.
     *
     * @param hint where to look if all are silent at the same time; empty: none
     */
    public void servers(int count, String hint) {
        servers = count;
        silentTogetherHint = hint;
    }

    /** Adds a failed check of the tables after the load. */
    public void failedCheck(Remark remark) {
        failedChecks.add(remark);
    }

    /** Seconds between the start of the measurement and this time after it in which the client's process stood still. */
    public double standstill(double until) {
        return standstill(0, until);
    }

    /** The longest of these periods. */
    Optional<Suspect> longestStandstill(double until) {
        return suspects.stream()
                .filter(s -> s.kind() == Kind.STANDSTILL && s.within(0, until) > 0)
                .max(Comparator.comparingDouble(s -> s.within(0, until)));
    }

    private double standstill(double from, double to) {
        return suspects.stream()
                .filter(s -> s.kind() == Kind.STANDSTILL)
                .mapToDouble(s -> s.within(from, to))
                .sum();
    }

    /** Whether the client's process stood still for most of the period, so that it says nothing about servers. */
    private boolean isStandstill(double from, double to) {
        return standstill(from, to) > MOSTLY * (to - from);
    }

    /** Seconds of the measurement that count as collection although the process stood still. */
    public double collectedWhileStandingStill(double seconds) {
        return suspects.stream()
                .filter(s -> s.kind() == Kind.COLLECTOR)
                .mapToDouble(s -> standstill(Math.max(0, s.from()), Math.min(s.to(), seconds)))
                .sum();
    }

    /** The periods without a success, with the servers that were silent. */
    public List<Outage> outages() {
        return silentServers().outages().stream()
                .map(outage -> isStallOfClients(outage) ? outage.withStalledClient() : outage)
                .toList();
    }

    /** Whether a stall of the clients' own threads, on each host, took most of a time in which nothing failed. */
    private boolean isStallOfClients(Outage outage) {
        if (outage.silent() || answers.hasFailures(outage.fromSeconds(), outage.toSeconds())) {
            return false;
        }
        return ofHosts.isEmpty()
                ? isStall(outage, suspects)
                : ofHosts.values().stream().allMatch(itsOwn -> isStall(outage, itsOwn));
    }

    /** As for a long operation, the longest one counts, because all operations waited for an answer at the same time. */
    private static boolean isStall(Outage outage, List<Suspect> suspects) {
        double most = MOSTLY * (outage.toSeconds() - outage.fromSeconds());
        return suspects.stream()
                .anyMatch(suspect -> suspect.kind() == Kind.CLIENT
                        && suspect.within(outage.fromSeconds(), outage.toSeconds()) > most);
    }

    SilentServers silentServers() {
        return new SilentServers(
                withoutStandstills(answers.outages()),
                silences.stream().filter(s -> !isStandstill(s.asked(), s.to())).toList(),
                late.stream().filter(s -> !isStandstill(s.asked(), s.to())).toList(),
                answers::wentOn);
    }

    private List<Outage> withoutStandstills(List<Outage> outages) {
        return outages.stream()
                .filter(o -> !isStandstill(o.fromSeconds(), o.toSeconds()))
                .toList();
    }
}
