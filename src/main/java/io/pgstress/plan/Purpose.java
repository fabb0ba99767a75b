package io.pgstress.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * The purpose of a run, which determines the defaults of some options.
 *
 * @param defaults defaults that replace an option's own, by option name
 * @param ofFinite the same for finite operations
 * @param isSearch whether the command searches for the number of clients
 * @param isSingle whether it is a single run
 */
public record Purpose(Map<String, String> defaults, Map<String, String> ofFinite, boolean isSearch, boolean isSingle) {
    /** A finite operation runs until its work is finished, and needs no warm-up. */
    private static final Map<String, String> FINITE = Map.of("duration", "1000h", "warmup", "0");

    /** A single run. */
    public static final Purpose RUN = new Purpose(Map.of(), FINITE, false, true);

    /** The steps of a search. */
    public static final Purpose SEARCH = search();

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
            false);

    public Purpose {
        defaults = Map.copyOf(defaults);
        ofFinite = Map.copyOf(ofFinite);
    }

    private static Purpose search() {
        Map<String, String> defaults =
                Map.of("threads", "auto", "duration", "15s", "warmup", "2s", "interval", "500ms");
        return new Purpose(defaults, defaults, true, false);
    }

    /** A copy with another default. */
    public Purpose withDefault(String option, String text) {
        return new Purpose(with(defaults, option, text), with(ofFinite, option, text), isSearch, isSingle);
    }

    private static Map<String, String> with(Map<String, String> defaults, String option, String text) {
        Map<String, String> all = new HashMap<>(defaults);
        all.put(option, text);
        return all;
    }
}
