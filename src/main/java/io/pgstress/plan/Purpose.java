package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The purpose of a run, which determines the defaults of some options.
 *
 * @param defaults defaults that replace an option's own, by option name
 * @param ofFinite the same for finite operations
 * @param isSearch whether the command searches for the number of clients
 * @param isSingle whether it is a single run
 * @param isLoad whether operations run together; if not, it does not matter whether they can
 * @param refusals by option name, why it is refused although other purposes accept it, as {@link Option#refusedIf} takes it
 */
public record Purpose(
        Map<String, String> defaults,
        Map<String, String> ofFinite,
        boolean isSearch,
        boolean isSingle,
        boolean isLoad,
        Map<String, Function<Options, String>> refusals) {
    private static final String VARIED = "sets a number of clients, and a search varies it; leave it out";

    /** A finite operation runs until its work is finished, and needs no warm-up. */
    private static final Map<String, String> FINITE = Map.of("duration", "1000h", "warmup", "0");

    /** A single run. */
    public static final Purpose RUN = new Purpose(Map.of(), FINITE, false, true, true, Map.of());

    private static final Map<String, String> OF_SEARCH =
            Map.of("clients", "auto", "duration", "15s", "warmup", "2s", "interval", "500ms");

    private static final String COUNTS =
            "only counts late operations of a run; use --limit, such as --limit 'p99<10ms'";

    /** The steps of a search. */
    public static final Purpose SEARCH = new Purpose(OF_SEARCH, OF_SEARCH, true, false, true, Map.of())
            .refusing(
                    RunLoadOptions.CLIENTS,
                    o -> o.get(RunLoadOptions.CLIENTS).isPresent()
                            ? "is what tune searches for; --max-clients limits it"
                            : "")
            .refusing(RunLoadOptions.RATE, "the search for the number of clients needs a closed loop; leave out --rate")
            .refusing(RunOptions.URL, o -> setsClients(o) ? "clients=N " + VARIED : "")
            .refusing(RunOptions.CLIENTS_PER_SERVER, VARIED)
            .refusing(RunOptions.LATENCY_LIMIT, COUNTS);

    /** The trials of a search for the highest rate; the rate stands for those that it tries. */
    public static final Purpose RATE_SEARCH = new Purpose(
                    Map.of(
                            "rate", "1",
                            "clients", "32",
                            "duration", "6s",
                            "warmup", "1s",
                            "drain", "3s",
                            "interval", "500ms"),
                    Map.of(),
                    false,
                    false,
                    true,
                    Map.of())
            .refusing(RunLoadOptions.RATE, "is what --limit searches for; leave it out")
            .refusing(RunOptions.LATENCY_LIMIT, COUNTS);

    /** The blocks of a comparison: long enough for a percentile, short enough for many rounds. */
    public static final Purpose BLOCK = new Purpose(
            Map.of(
                    "duration", "5s",
                    "warmup", "1s",
                    "warmup-executions", "6", // by then the driver and the server use their final plans
                    "warmup-limit", "10s",
                    "interval", "500ms"),
            with(FINITE, "interval", "500ms"),
            false,
            false,
            true,
            Map.of());

    public Purpose {
        defaults = Map.copyOf(defaults);
        ofFinite = Map.copyOf(ofFinite);
        refusals = Map.copyOf(refusals);
    }

    private static boolean setsClients(Options o) {
        return o.get(RunOptions.CLIENTS_PER_SERVER).isEmpty()
                && EndpointReader.endpoints(o).stream().anyMatch(e -> e.clients() > 0);
    }

    /** A copy with another default. */
    public Purpose withDefault(String option, String text) {
        return new Purpose(
                with(defaults, option, text), with(ofFinite, option, text), isSearch, isSingle, isLoad, refusals);
    }

    /** A copy for operations that do not run. */
    public Purpose withoutLoad() {
        return new Purpose(defaults, ofFinite, isSearch, isSingle, false, refusals);
    }

    /** A copy that also refuses an option for the reason that the function returns; an empty string: it does not. */
    public Purpose refusing(Option<?> option, Function<Options, String> reason) {
        return new Purpose(defaults, ofFinite, isSearch, isSingle, isLoad, with(refusals, option.name(), reason));
    }

    /** A copy that also refuses an option, if it is given, for this reason. */
    public Purpose refusing(Option<?> option, String reason) {
        return refusing(option, o -> o.isGiven(option) ? reason : "");
    }

    private static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
        Map<String, V> all = new HashMap<>(map);
        all.put(key, value);
        return all;
    }
}
