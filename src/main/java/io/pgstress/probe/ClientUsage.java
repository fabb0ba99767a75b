package io.pgstress.probe;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.ClientInfo;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Threads;
import io.pgstress.target.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Traffic, CPU time and memory of the client's process, read at the end of each interval. */
public final class ClientUsage implements Probe {
    private final RunContext run;
    private final Canary canary;
    private final Readings readings;

    /** @param canary observes how the clients' threads are scheduled */
    public ClientUsage(RunContext run, Canary canary) {
        this.run = run;
        this.canary = canary;
        this.readings = new Readings(run.target().nodes(), run::pausedSeconds);
    }

    @Override
    public void measureStarts() {
        readings.measureStarts();
    }

    @Override
    public void intervalEnds(IntervalData interval) {
        Readings.Interval usage = readings.intervalEnds();
        run.extras().usage(interval, usage.network(), usage.cpuCores());
    }

    @Override
    public void measureEnds() {
        readings.measureEnds(run.timeline().measureEnd() <= run.timeline().measureStart());
    }

    @Override
    public void contribute(Findings findings) {
        double seconds = findings.seconds();
        findings.client(new Findings.ClientSide(
                client(findings),
                readings.network(seconds),
                IntStream.range(0, run.target().nodes().size())
                        .mapToObj(node -> readings.network(node, seconds))
                        .toList()));
        findings.evidence().clocks(readings.seconds(), readings.wallClockAhead());
        findings.evidence().host(readings.machineBusy(), sharesHost());
    }

    private ClientInfo client(Findings findings) {
        double load = CpuMeter.loadAverage();
        long ok = findings.okInTime();
        return new ClientInfo(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Threads.name(run.spec(), run.share()),
                findings.clients().poolSettings(),
                readings.cpuCores(),
                ok == 0 ? 0 : readings.cpuSeconds() * 1e6 / ok,
                readings.gcSeconds(),
                readings.compilerSeconds(),
                load < 0 ? null : load,
                residentBytes(),
                canary.turns(findings).share());
    }

    private static @Nullable Long residentBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException e) {
            return null; // no /proc on this system
        }
        return null;
    }

    /** Whether a server runs on this machine. */
    private boolean sharesHost() {
        for (Node node : run.target().nodes()) {
            try {
                String host = URI.create(node.url().substring("jdbc:".length()).replace("***@", ""))
                        .getHost();
                InetAddress address = InetAddress.getByName(host == null ? "localhost" : host);
                if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
                    return true;
                }
            } catch (IOException | IllegalArgumentException e) {
                // several hosts in one URL, or a name that only the driver can resolve: assume another machine
            }
        }
        return false;
    }
}
