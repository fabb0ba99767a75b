package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run knows of itself beyond its result: of a result that was read from a file there is none. What was not added is unknown and
 * not judged. Not thread-safe.
 */
public final class Evidence {
    /** Seconds between the readings at the measurement's start and end, and how far the wall clock got ahead meanwhile. */
    record Clocks(double readSeconds, double wallAheadSeconds) {}

    /** What may disturb the client: the busy share of its host (0 to 1; below 0: unknown), and a server beside it. */
    record Host(double busy, boolean isShared) {}

    final List<String> cautions = new ArrayList<>();
    final List<String> failedChecks = new ArrayList<>();
    final List<Suspect> suspects = new ArrayList<>();
    final List<Silence> silences = new ArrayList<>();
    String earlyEnd = "";
    boolean isEarlyEndValid;
    String warmupCut = "";
    int hungClients;
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

    /** Something that was known to go wrong before the load began. */
    public void caution(String text) {
        cautions.add(text);
    }

    /**
     * The run ended early.
     *
     * @param isValid whether its figures can be used all the same
     */
    public void endedEarly(String why, boolean isValid) {
        earlyEnd = why;
        isEarlyEndValid = isValid;
    }

    /** The limit of the warm-up came before this was reached. */
    public void warmupCut(String missing) {
        warmupCut = missing;
    }

    /** Clients that still did what they had begun before the measurement when the drain was over. */
    public void hungClients(int count) {
        hungClients = count;
    }

    /** Rate and mean time of a closed load without pauses. */
    public void littlesLaw(LittlesLaw law) {
        littlesLaw = law;
    }

    /**
     * When the client's process was read at the measurement's start and end.
     *
     * @param readSeconds between the readings, pauses excluded
     * @param wallAheadSeconds by which the wall clock moved more than the clock that times are taken by
     */
    public void clocks(double readSeconds, double wallAheadSeconds) {
        clocks = new Clocks(readSeconds, wallAheadSeconds);
    }

    /**
     * The client's host.
     *
     * @param busy share of its CPUs, 0 to 1; below 0: unknown
     * @param isShared whether a server runs there too
     */
    public void host(double busy, boolean isShared) {
        host = new Host(busy, isShared);
    }

    public void turns(ClientTurns found) {
        turns = found;
    }

    /** When operations were answered. */
    public void answers(AnswerTimes found) {
        answers = found;
    }

    public void suspect(Suspect suspect) {
        suspects.add(suspect);
    }

    public void silence(Silence silence) {
        silences.add(silence);
    }

    /**
     * The servers whose silences are known.
     *
     * @param hint what to look at where all are silent at once; empty: nothing in particular
     */
    public void servers(int count, String hint) {
        servers = count;
        silentTogetherHint = hint;
    }

    /** A check of the tables after the load that did not hold. */
    public void failedCheck(String text) {
        failedChecks.add(text);
    }

    /** The times without a success, with the servers that were silent in them. */
    public List<Outage> outages() {
        return silentServers().outages();
    }

    SilentServers silentServers() {
        return new SilentServers(answers.outages(), silences, answers::wentOn);
    }
}
