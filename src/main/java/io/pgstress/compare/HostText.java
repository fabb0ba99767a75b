package io.pgstress.compare;

import io.pgstress.result.Scaling.HostCount;
import io.pgstress.result.Scaling.HostGain;
import io.pgstress.result.Scaling.HostSearch;
import io.pgstress.result.Scaling.HostStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether more stress hosts raise the throughput, as sentences. */
final class HostText {
    /** From this share on, CPUs count as busy. */
    private static final double BUSY = 0.8;

    private final HostSearch search;

    HostText(HostSearch search) {
        this.search = search;
    }

    List<String> sentences() {
        List<String> words = new ArrayList<>();
        search.gains().forEach(gain -> words.add(gain(gain)));
        if (search.gains().isEmpty()) {
            words.add("Whether more hosts raise the total is not known: no two rounds measured them (--repeat-limit).");
        }
        words.add(best());
        return words;
    }

    private String best() {
        HostStep best = search.counts().stream()
                .map(c -> best(c.hosts()))
                .filter(Objects::nonNull)
                .max(Comparator.comparingDouble(HostStep::opsPerSecond))
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "Best total: %,.0f operations per second, from %s with %d clients.",
                best.opsPerSecond(),
                hosts(best.hosts()),
                best.clients());
    }

    private String gain(HostGain gain) {
        String more = gain.fromHosts() == 1 && gain.hosts() == 2
                ? "A second host"
                : gain.hosts() + " hosts instead of " + gain.fromHosts();
        boolean isOne = gain.hosts() == 2 && gain.fromHosts() == 1;
        String change = change(gain);
        HostStep fewer = best(gain.fromHosts());
        if (gain.raises() == null) {
            return "Whether " + more.substring(0, 1).toLowerCase(Locale.ROOT) + more.substring(1)
                    + (isOne ? " raises" : " raise") + " the total is not decided: " + change
                    + (gain.rounds() < HostClimb.ROUNDS
                            ? "; --repeat-limit did not permit " + HostClimb.ROUNDS + " rounds."
                            : ".");
        }
        if (gain.raises()) {
            return more + (isOne ? " raises" : " raise") + " the total by " + change.replace("+", "") + ": "
                    + (gain.fromHosts() == 1 ? "one host was" : hosts(gain.fromHosts()) + " were") + " the limit ("
                    + host(fewer) + ").";
        }
        return more + (isOne ? " does" : " do") + " not raise the total: " + change + ". "
                + servers(best(gain.hosts()));
    }

    private static String host(@Nullable HostStep step) {
        if (step == null || step.hostCpuShare() == null) {
            return "its CPU use is not known";
        }
        String cpu = String.format(
                Locale.ROOT, "the CPUs of %s were %.0f%% busy", step.busiestHost(), 100 * step.hostCpuShare());
        return step.hostCpuShare() >= BUSY
                ? cpu
                : cpu
                        + String.format(
                                Locale.ROOT,
                                " with its load, so look at its network: %.0f Mbit/s in, %.0f out",
                                step.inMbitPerSecond(),
                                step.outMbitPerSecond());
    }

    private static String servers(@Nullable HostStep step) {
        Double cpu = step == null ? null : step.serverCpuShare();
        String wait = step == null ? null : step.topWait();
        if (cpu != null && cpu >= BUSY) {
            return String.format(
                    Locale.ROOT, "The servers are full: the busiest has %.0f%% of its CPUs in use.", 100 * cpu);
        }
        if (wait != null) {
            return "The servers are full: their sessions wait for " + wait + ".";
        }
        return "The servers are the limit, but what of them is not known: "
                + (cpu == null
                        ? "their CPU use could not be read."
                        : String.format(Locale.ROOT, "the busiest has %.0f%% of its CPUs in use.", 100 * cpu));
    }

    private @Nullable HostStep best(int hosts) {
        int clients = search.counts().stream()
                .filter(c -> c.hosts() == hosts)
                .mapToInt(HostCount::bestClients)
                .findFirst()
                .orElse(0);
        return search.steps().stream()
                .filter(s -> s.hosts() == hosts && s.clients() == clients)
                .findFirst()
                .orElse(null);
    }

    private static String hosts(int number) {
        return number == 1 ? "1 host" : number + " hosts";
    }

    private static String change(HostGain gain) {
        return percent(gain.ratio()) + " (" + percent(gain.low()) + " to " + percent(gain.high()) + ", " + gain.rounds()
                + " rounds)";
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f%%", (ratio - 1) * 100);
    }
}
