package io.pgstress.extra.baseline;

import io.pgstress.report.file.AtomicFile;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Network;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ceilings of this user's load generators that {@code stress baseline} measured, in a file. Not thread-safe. */
public final class Ceilings {
    /** The result warns above this share of the ceiling: the client's own waits grow from there. */
    private static final double MAX_SHARE = 0.7;

    /** The clients of a measurement used at least this share of their cores; on one machine, the server takes about half of them. */
    private static final double MIN_REACHED = 0.1;

    /** The bytes per operation of a load may differ by this share from those of the ceiling. Larger documents cost the client more. */
    private static final double SAME_BYTES = 0.25;

    private final Path file;
    private final Map<Kind, Ceiling> all = new LinkedHashMap<>();

    /**
     * Reads the file, if there is one.
     *
     * @param home the directory of this user's data
     * @throws IOException if the file cannot be read
     * @throws TextException if it is damaged; the message names it
     */
    public Ceilings(Path home) throws IOException {
        file = home.resolve("ceilings.json");
        read();
    }

    private void read() throws IOException {
        if (Files.exists(file)) {
            try {
                Contents contents = Json.read(TextFile.read(file, TextFile.SMALL), Contents.class);
                if (!isComplete(contents)) {
                    throw new TextException("is not a list of ceilings");
                }
                contents.ceilings().forEach(entry -> all.put(entry.kind(), entry.ceiling()));
            } catch (TextException e) {
                throw TextException.in(file.toString(), e);
            }
        }
    }

    /**
     * What a ceiling is of: results with an equal one can be compared with it, if their operations have about as many bytes.
     *
     * @param operation its name
     * @param statement the statement mode
     * @param hosts the number of hosts with clients
     */
    private record Kind(
            String operation,
            String statement,
            String queryMode,
            String pool,
            String threads,
            String jvm,
            int cpus,
            int hosts,
            String tool) {
        static Kind of(String operation, RunResult result) {
            Workload workload = result.run().workload();
            ClientInfo client = result.client();
            return new Kind(
                    operation,
                    Objects.requireNonNullElse(workload.statement(), ""),
                    Objects.requireNonNullElse(workload.queryMode(), ""),
                    Objects.requireNonNullElse(workload.pool(), ""),
                    client.threadKind(),
                    client.jvm(),
                    client.cpus(),
                    Math.max(1, result.hosts().size()),
                    result.header().tool().version() + " "
                            + result.header().tool().commit());
        }
    }

    /**
     * A ceiling.
     *
     * @param cpuMicros CPU time of the clients' processes per operation
     * @param opsPerSecond the rate with which that fills all their cores
     * @param bytes what the clients sent and received per operation
     */
    public record Ceiling(double cpuMicros, double opsPerSecond, double bytes) {}

    private record Entry(Kind kind, Ceiling ceiling) {}

    private record Contents(List<Entry> ceilings) {}

    /** The ceiling that a result against a server that answers at once shows; empty if it has no such operation or CPU time. */
    public static Optional<Ceiling> shown(RunResult result) {
        double micros = result.client().cpuMicrosPerOperation();
        return micros > 0 && result.client().cpus() > 0
                ? Optional.of(new Ceiling(
                        micros,
                        result.client().cpus() * 1e6 / micros,
                        bytes(result) / result.total().okInWindow()))
                : Optional.empty();
    }

    /** The result of a run against a server that answers at once, which is not valid if its clients were far from their ceiling. */
    public static RunResult judged(RunResult result, Ceiling ceiling) {
        double rate = result.total().opsPerSecond();
        if (rate >= MIN_REACHED * ceiling.opsPerSecond()) {
            return result;
        }
        Remark far = RemarkCode.CEILING_FAR
                .with("percent", 100 * rate / ceiling.opsPerSecond())
                .with("rate", rate)
                .with("ceiling", ceiling.opsPerSecond())
                .remark();
        List<Remark> reasons = new ArrayList<>(result.reasons());
        reasons.add(far);
        Validity all =
                Validity.of(reasons, result.warnings(), result.run().workload().accepted());
        return result.withRemarks(all.reasons(), all.warnings());
    }

    private static double bytes(RunResult result) {
        Network network = result.load().network();
        return network.bytesIn() + (double) network.bytesOut();
    }

    /**
     * Keeps the ceiling of an operation, and replaces an earlier one of the same kind. It reads the file again, because other commands
     * may have kept theirs meanwhile.
     *
     * @param result of a run with this operation only
     * @throws IOException if the file cannot be read or written; the message names it
     * @throws TextException if it is damaged; the message names it
     */
    public void keep(String operation, RunResult result, Ceiling ceiling) throws IOException {
        read();
        all.put(Kind.of(operation, result), ceiling);
        List<Entry> entries = new ArrayList<>();
        all.forEach((kind, of) -> entries.add(new Entry(kind, of)));
        Files.createDirectories(file.toAbsolutePath().getParent());
        new AtomicFile(file).write(out -> out.write(Json.write(new Contents(entries))));
    }

    private static boolean isComplete(@Nullable Contents contents) {
        return contents != null
                && contents.ceilings() != null
                && contents.ceilings().stream()
                        .allMatch(entry -> entry != null
                                && entry.kind() != null
                                && entry.ceiling() != null
                                && entry.ceiling().opsPerSecond() > 0);
    }

    /**
     * The result with the share of the ceiling that its clients reached: in its bottleneck, and as a warning if it is high. A result of
     * operations whose ceiling was not measured on this machine, with this version, these clients and as many bytes, is unchanged.
     */
    public RunResult told(RunResult result) {
        Double share = share(result);
        if (share == null) {
            return result;
        }
        double rate = result.total().opsPerSecond();
        Remark found = RemarkCode.GENERATOR_SHARE.with("percent", 100 * share).remark();
        List<Remark> bottleneck = new ArrayList<>(result.serverProfile().bottleneck());
        bottleneck.add(found);
        RunResult told =
                Records.with(result, "serverProfile", Records.with(result.serverProfile(), "bottleneck", bottleneck));
        List<Remark> warnings = new ArrayList<>(result.validity().warnings());
        if (share > MAX_SHARE) {
            warnings.removeIf(warning -> warning.code() == RemarkCode.CLIENT_CPU); // an estimate of the same
            warnings.add(RemarkCode.GENERATOR_CEILING
                    .with("percent", 100 * share)
                    .with("rate", rate)
                    .with("ceiling", rate / share)
                    .remark());
        }
        return told.withRemarks(result.validity().reasons(), warnings);
    }

    /** The sum of the shares of each operation; null if one is unknown, or was measured with smaller or larger documents. */
    private @Nullable Double share(RunResult result) {
        if (result.servers().stream().anyMatch(server -> server.tls() != null)) {
            return null; // the server that answers at once has no encryption
        }
        double share = 0;
        double bytes = 0;
        for (Map.Entry<String, OperationResult> operation : result.operations().entrySet()) {
            Ceiling ceiling = all.get(Kind.of(operation.getKey(), result));
            if (ceiling == null) {
                return null;
            }
            share += operation.getValue().opsPerSecond() / ceiling.opsPerSecond();
            bytes += operation.getValue().okInWindow() * ceiling.bytes();
        }
        return share > 0 && Math.abs(bytes(result) - bytes) <= SAME_BYTES * bytes ? share : null;
    }
}
