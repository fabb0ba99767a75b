package io.pgstress.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why one variant may differ from another: the rules, in the order of their weight, over both variants' {@link Facts}. A
 * rule says what was counted, never what is merely thought. To know one more, add a line to {@link #all}.
 */
final class Causes {
    private static final double NOTABLE = 1.15;
    private static final double NOTABLE_SHARE = 0.15;
    private static final int MOST = 3;

    private final String name;
    private final String other;
    private final Map<String, Double> of;
    private final Map<String, Double> to;

    Causes(String variant, Map<String, Double> facts, String baseline, Map<String, Double> baselineFacts) {
        this.name = variant;
        this.other = baseline;
        this.of = facts;
        this.to = baselineFacts;
    }

    /** What else differs, as half a sentence; null where nothing notable does. */
    @Nullable
    String words() {
        List<String> all = all();
        return all.isEmpty() ? null : String.join("; ", all.subList(0, Math.min(MOST, all.size())));
    }

    private List<String> all() {
        List<String> found = new ArrayList<>();
        figure(found, "nodesTouchedPerOperation", "touches %.1f nodes an operation, %s %.1f", 0.5);
        figure(found, Facts.ROUND_TRIPS, "takes %.1f round trips an operation, %s %.1f", 0.2);
        figure(found, "transactionsPerOperation", "takes %.1f transactions an operation, %s %.1f", 0.2);
        figure(found, "genericPlanShare", "runs %.2f of its statements by generic plans, %s %.2f", 0.2);
        figure(found, Facts.ACQUIRE, "waits %.0f us an operation for a connection, %s %.0f", 20);
        figure(found, "walBytesPerOperation", "writes %.0f bytes of WAL an operation, %s %.0f", 50);
        figure(found, "blocksReadPerOperation", "reads %.2f blocks an operation from disk, %s %.2f", 0.1);
        figure(found, "blocksHitPerOperation", "looks at %.1f blocks an operation, %s %.1f", 1);
        figure(found, Facts.SERVER_TIME, "executes %.0f us an operation at the server, %s %.0f", 5);
        figure(found, Facts.BYTES_OUT, "sends %.0f bytes an operation, %s %.0f", 16);
        figure(found, Facts.BYTES_IN, "receives %.0f bytes an operation, %s %.0f", 16);
        waits(found);
        figure(found, Facts.CLIENT_CPU, "costs the client %.0f us of CPU an operation, %s %.0f", 2);
        return found;
    }

    private void figure(List<String> found, String fact, String words, double least) {
        Double a = of.get(fact);
        Double b = to.get(fact);
        if (a == null || b == null || Math.abs(a - b) < least) {
            return;
        }
        if (Math.max(a, b) > NOTABLE * Math.min(a, b)) {
            found.add(name + " " + String.format(Locale.ROOT, words, a, other, b));
        }
    }

    private void waits(List<String> found) {
        of.keySet().stream().filter(f -> f.startsWith(Facts.WAIT)).forEach(fact -> {
            double a = of.getOrDefault(fact, 0.0);
            double b = to.getOrDefault(fact, 0.0);
            if (Math.abs(a - b) > NOTABLE_SHARE) {
                found.add(String.format(
                        Locale.ROOT,
                        "its sessions were '%s' %.0f%% of the time, those of %s %.0f%%",
                        fact.substring(Facts.WAIT.length()),
                        100 * a,
                        other,
                        100 * b));
            }
        });
    }
}
