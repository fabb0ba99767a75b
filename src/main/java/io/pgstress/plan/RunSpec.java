package io.pgstress.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One run, checked and immutable: see {@link RunSpecReader}.
 *
 * @param endpoints the servers; empty: the embedded one
 * @param table the table under load; null: the one of the bundled data
 * @param mix at least one operation
 * @param queryMode pgjdbc's {@code preferQueryMode}; an empty string: the driver's default
 * @param settings server settings sent as startup options, in the order given
 * @param options every option as text, as it was given or by default, for the result
 */
public record RunSpec(
        List<Endpoint> endpoints,
        String target,
        TableName table,
        List<WeightedOperation> mix,
        StatementMode statement,
        String queryMode,
        PoolSpec pool,
        Load load,
        Phases phases,
        OperationOptions operation,
        ClientThreads clientThreads,
        FailurePolicy failures,
        long seed,
        Map<String, String> settings,
        Map<String, List<String>> options) {

    /** Settings of whole servers, changed for the run, in the order given. */
    public Map<String, String> alterSystem() {
        Map<String, String> altered = new LinkedHashMap<>();
        for (String text : options.getOrDefault("alter-system", List.of())) {
            int equals = text.indexOf('=');
            altered.put(
                    text.substring(0, equals).trim(), text.substring(equals + 1).trim());
        }
        return altered;
    }

    /** Whether clients go to every server of the cluster that takes statements, found by the first endpoint. */
    public boolean allCoordinators() {
        return options.getOrDefault("coordinators", List.of()).contains("all");
    }

    /** The same run on these servers. */
    public RunSpec withEndpoints(List<Endpoint> others) {
        return with(others, table, load, options);
    }

    /** Whether a table was named, or {@link #withTable} has set one. */
    public boolean hasTable() {
        return !table.name().equals("?");
    }

    /** The same run on this table. */
    public RunSpec withTable(TableName other) {
        return with(endpoints, other, load, options);
    }

    /** The same run with this number of clients. */
    public RunSpec withClients(int clients) {
        Map<String, List<String>> texts = new LinkedHashMap<>(options);
        texts.put("threads", List.of(Integer.toString(clients)));
        return with(endpoints, table, load.withClients(clients), texts);
    }

    private RunSpec with(
            List<Endpoint> newEndpoints, TableName newTable, Load newLoad, Map<String, List<String>> newOptions) {
        return new RunSpec(
                newEndpoints,
                target,
                newTable,
                mix,
                statement,
                queryMode,
                pool,
                newLoad,
                phases,
                operation,
                clientThreads,
                failures,
                seed,
                settings,
                newOptions);
    }

    /** The mix as one writes it: {@code find_first} or {@code find_first:3,find_update:1}. */
    public String mixLabel() {
        return mix.size() == 1
                ? mix.get(0).name()
                : mix.stream().map(o -> o.name() + ":" + o.weight()).collect(Collectors.joining(","));
    }
}
