package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.Header;
import io.pgstress.result.Header.ToolInfo;
import io.pgstress.result.LoadResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parts of a result that describe the program and its options. */
final class RunFacts {
    /** A setting's value may contain a password: {@code primary_conninfo=... password=...}. */
    private static final Pattern SECRET = Pattern.compile("(?i)(password=)\\S+");

    private RunFacts() {}

    static ToolInfo tool() {
        Package p = RunFacts.class.getPackage();
        String version = p == null ? null : p.getImplementationVersion();
        return new ToolInfo(version == null ? "development" : version, commit(), Connector.driverVersion());
    }

    /** The commit that the jar was built from, according to its manifest; empty if unknown. */
    private static String commit() {
        try (InputStream manifest = ClassLoader.getSystemResourceAsStream(JarFile.MANIFEST_NAME)) {
            String commit = manifest == null
                    ? null
                    : new Manifest(manifest).getMainAttributes().getValue("Implementation-Commit");
            return commit == null || commit.startsWith("${") ? "" : commit; // built without a repository
        } catch (IOException e) {
            return "";
        }
    }

    /** The part of the result that is known before the load; it has no figures. */
    static RunResult before(RunContext run) {
        Table table = run.table();
        return new RunResult(
                new Header(
                        RunResult.SCHEMA,
                        tool(),
                        run(run.spec(), Instant.now(), List.of(), true, null, null),
                        ClientInfo.unknown(""),
                        List.of(),
                        new DatasetInfo(
                                table.name().toString(),
                                table.keyType().label(),
                                table.rows(),
                                table.rows(),
                                table.knownBytes(),
                                table.ids().distinct(),
                                table.keys().size(),
                                List.of())),
                LoadResult.NONE.with(
                        "nodes",
                        run.target().nodes().stream()
                                .map(node -> new NodeResult(node.url(), node.clients(), Map.of(), null, null, null))
                                .toList()),
                ServerProfile.NONE,
                Validity.NONE,
                List.of());
    }

    /** @param started start of the load */
    static RunInfo run(
            RunSpec spec,
            Instant started,
            List<RunInfo.PhaseLength> phases,
            boolean partial,
            @Nullable Integer toleratedLost,
            @Nullable Boolean insecure) {
        Map<String, Object> scenario = new TreeMap<>();
        spec.options().texts().forEach((name, values) -> {
            if (name.equals(ServerOptions.PASSWORD_COMMAND_NAME)) {
                scenario.put(name, "***");
            } else if (!name.equals("url")) {
                List<String> told = values.stream()
                        .map(v -> SECRET.matcher(v).replaceAll("$1***"))
                        .toList();
                scenario.put(name, told.size() == 1 ? told.get(0) : told);
            }
        });
        scenario.put("url", spec.endpoints().stream().map(Object::toString).toList());
        spec.table().ifPresent(table -> scenario.put("table", table.toString()));
        return new RunInfo(
                UUID.randomUUID().toString(),
                started.truncatedTo(ChronoUnit.MILLIS).toString(),
                List.of(),
                spec.seed(),
                scenario,
                workload(spec),
                phases,
                partial,
                toleratedLost,
                insecure);
    }

    private static Workload workload(RunSpec spec) {
        return new Workload(
                spec.mixLabel(),
                spec.load().clients(),
                spec.load() instanceof Load.Open open ? open.rates() : List.of(),
                lowerCase(spec.get(RunLoadOptions.ARRIVAL)),
                lowerCase(spec.statement()),
                spec.get(RunOptions.QUERY_MODE).orElse(null),
                spec.pool().kind(),
                spec.pool().size(),
                spec.get(RunOptions.TRANSACTION),
                spec.get(RunOptions.FETCH_SIZE),
                lowerCase(spec.get(RunOptions.KEY_DISTRIBUTION)),
                spec.phases().autoWarmup(),
                spec.failures().maxErrorRate(),
                spec.get(RunOptions.ACCEPT).stream().map(RemarkCode::ofWord).toList());
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
