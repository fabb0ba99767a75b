package io.pgstress.fleet;

import io.pgstress.measure.Cell;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Time;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.verdict.ResultMerge.HostMerge;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a test: each one's share of the result, and their processes and machines together.
 *
 * @param isInsecure whether messages are neither encrypted nor authenticated
 */
record HostsProbe(RunContext run, FleetRun fleet, boolean isInsecure) implements Probe {
    /** The share of the measurement by which a host's own may be longer or shorter. */
    private static final double MAX_DIFFERENCE = 0.01;

    @Override
    public void contribute(Findings findings) {
        List<RunResult> results = new ArrayList<>();
        List<HostResult> rows = new ArrayList<>();
        for (RemoteHost host : fleet.hosts().all()) {
            RunResult result = host.result();
            if (result == null) {
                findings.otherMachine(host.name(), null);
            } else {
                results.add(result);
                Message.Ended ended = host.ended();
                findings.evidence().suspectsOfHost(host.work().host(), ended == null ? List.of() : ended.stalls());
                result.serverProfile()
                        .machines()
                        .machines()
                        .forEach(m -> findings.otherMachine(host.name(), m.named(host.name())));
            }
            rows.add(row(host, result, findings.recorded().seconds()));
        }
        if (fleet.isResetting()) {
            findings.evidence().failedCheck(RemarkCode.TABLES_NOT_CHECKED.remark());
        }
        fleet.mayWrite().forEach(findings.evidence()::caution);
        if (isInsecure) {
            findings.evidence().caution(RemarkCode.INSECURE_FLEET.remark());
        }
        findings.fleet(new Findings.FleetSide(rows, fleet.mayBeLost(), isInsecure));
        findings.client(new Findings.ClientSide(
                results.isEmpty() ? ClientInfo.unknown(ClientInfo.UNKNOWN) : HostMerge.clients(results),
                Network.sum(results.stream().map(h -> h.load().network())),
                run.target().nodes().stream()
                        .map(node -> network(results, node.url()))
                        .toList()));
    }

    private static Network network(List<RunResult> results, String url) {
        return Network.sum(results.stream()
                .flatMap(r -> r.nodes().stream())
                .filter(node -> node.url().equals(url))
                .map(NodeResult::network));
    }

    private HostResult row(RemoteHost host, @Nullable RunResult result, double seconds) {
        String name = host.name();
        Message.Ready ready = host.ready();
        Message.Ended ended = host.ended();
        Double offset = ready == null ? null : Double.valueOf(ready.offsetNanos() / 1e3);
        Double bound = ready == null ? null : Double.valueOf(bound(ready, ended) / 1e3);
        if (result != null) {
            HostResult own = result.asHost(name);
            List<Remark> differences = differences(host, result.run().measuredSeconds(), seconds, bound);
            return new HostResult(
                    name,
                    host.clients(),
                    own.ok(),
                    own.failed(),
                    own.opsPerSecond(),
                    own.latencyMicros(),
                    own.client(),
                    own.network(),
                    offset,
                    bound,
                    null,
                    own.valid() && differences.isEmpty(),
                    Stream.concat(own.reasons().stream(), differences.stream()).toList(),
                    own.warnings());
        }
        Cell cell = host.measured();
        LatencyHistogram times = cell == null ? null : cell.times(Time.TOTAL);
        long ok = cell == null ? 0 : cell.completed(Outcome.OK);
        return new HostResult(
                name,
                host.clients(),
                ok,
                cell == null ? 0 : cell.count(Outcome.FAILED),
                seconds == 0 ? 0 : ok / seconds,
                Latency.ofAny(times),
                null,
                null,
                offset,
                bound,
                fleet.events().lostAtSeconds(host),
                false,
                reasons(host),
                List.of());
    }

    /**
     * What makes a host's figures unlike those of the run.
     *
     * @param measured seconds that it measured
     * @param seconds seconds that the run measured
     * @param boundMicros the largest error of its clock; null if unknown
     */
    static List<Remark> differences(RemoteHost host, double measured, double seconds, @Nullable Double boundMicros) {
        List<Remark> differences = new ArrayList<>();
        if (host.missing() > 0) {
            differences.add(RemarkCode.HOST_MESSAGES_MISSING
                    .with("messages", host.missing())
                    .remark());
        }
        double permitted = MAX_DIFFERENCE * seconds + (boundMicros == null ? 0 : boundMicros / 1e6);
        if (Math.abs(measured - seconds) > permitted) {
            differences.add(RemarkCode.HOST_MEASURED_OTHERWISE
                    .with("measuredSeconds", measured)
                    .with("runSeconds", seconds)
                    .remark());
        }
        return differences;
    }

    @Override
    public void hurry() {
        fleet.abort();
    }

    private static List<Remark> reasons(RemoteHost host) {
        List<Remark> reasons = new ArrayList<>();
        reasons.add(RemarkCode.HOST_GONE
                .with("why", Objects.requireNonNullElse(host.lost(), "lost"))
                .remark());
        if (host.notSent() > 0) {
            reasons.add(RemarkCode.HOST_DID_NOT_SEND
                    .with("operations", host.notSent())
                    .remark());
        }
        return reasons;
    }

    /** The largest error that the offset had during the run: the clocks may have drifted. */
    private static long bound(Message.Ready ready, Message.@Nullable Ended ended) {
        return ended == null
                ? ready.boundNanos()
                : new ClockOffset(ready.offsetNanos(), ready.boundNanos())
                        .until(new ClockOffset(ended.offsetNanos(), ended.boundNanos()))
                        .boundNanos();
    }
}
