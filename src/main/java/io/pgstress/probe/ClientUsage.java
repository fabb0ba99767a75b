package io.pgstress.probe;

import io.pgstress.machine.UsableCpus;
import io.pgstress.measure.IntervalData;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Network;
import io.pgstress.runner.CompilerTime;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Threads;
import io.pgstress.target.Node;
import io.pgstress.target.loop.LoadThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Traffic, CPU time and memory of the client's process, read at the start and end of the measurement and at the end of each
 * interval. Rates of traffic exclude pauses; CPU time cannot.
 */
public final class ClientUsage implements Probe {
    private final RunContext run;
    private final LoadThreads threads;
    private final Canary canary;
    private final CompilerTime compiler = new CompilerTime();
    private Reading last;
    private Reading measureStart;
    private Reading measureEnd;
    private double machineBusy = -1;
    private UsableCpus cpus = UsableCpus.ALL;
    private double cpusBusy = -1;
    private boolean isOver;

    /**
     * Everything read at one instant.
     *
     * @param bytes what was received and sent so far, by node
     * @param paused seconds for which the clients have paused so far
     */
    record Reading(CpuMeter cpu, List<long[]> bytes, double paused, Instant wall, long wallNanoTime) {
        static Reading of(List<Node> nodes, double paused) {
            CpuMeter cpu = CpuMeter.read();
            List<long[]> bytes = nodes.stream()
                    .map(node -> node.connector().bytes())
                    .map(sockets -> new long[] {sockets.bytesIn(), sockets.bytesOut()})
                    .toList();
            long nanoTime = System.nanoTime(); // read in immediate succession, because they are compared
            return new Reading(cpu, bytes, paused, Instant.now(), nanoTime);
        }

        double secondsSince(Reading before) {
            return cpu.secondsSince(before.cpu) - (paused - before.paused);
        }

        /** Cores in use, pauses included: a process computes then, too, and its CPU time cannot be told apart. */
        double coresSince(Reading before) {
            return cpu.cpuSecondsSince(before.cpu) / Math.max(1e-9, cpu.secondsSince(before.cpu));
        }

        /** The traffic by node, as rates of this duration. */
        List<Network> trafficSince(Reading before, double seconds) {
            double bitsToMbitPerSecond = seconds == 0 ? 0 : 8 / 1e6 / seconds;
            return IntStream.range(0, bytes.size())
                    .mapToObj(node -> {
                        long in = bytes.get(node)[0] - before.bytes.get(node)[0];
                        long out = bytes.get(node)[1] - before.bytes.get(node)[1];
                        return new Network(in * bitsToMbitPerSecond, out * bitsToMbitPerSecond, in, out);
                    })
                    .toList();
        }

        /** Seconds by which the wall clock advanced more than the clock used for latencies. */
        double wallAheadSince(Reading before) {
            return Duration.between(before.wall, wall).toNanos() / 1e9 - (wallNanoTime - before.wallNanoTime) / 1e9;
        }
    }

    /**
     * @param threads of the clients
     * @param canary observes how they are scheduled
     */
    public ClientUsage(RunContext run, LoadThreads threads, Canary canary) {
        this.run = run;
        this.threads = threads;
        this.canary = canary;
        this.last = Reading.of(run.target().nodes(), run.pausedSeconds());
        this.measureStart = last;
        this.measureEnd = last;
    }

    private Reading read() {
        return Reading.of(run.target().nodes(), run.pausedSeconds());
    }

    @Override
    public void measureStarts() {
        measureStart = read();
        last = measureStart;
        compiler.start();
        machineBusy = CpuMeter.machineBusy();
        cpus = UsableCpus.read();
    }

    @Override
    public void intervalEnds(IntervalData interval) {
        Reading now = read();
        if (!isOver) {
            compiler.read();
        }
        run.extras()
                .usage(
                        interval,
                        Network.sum(now.trafficSince(last, now.secondsSince(last)).stream()),
                        now.coresSince(last));
        last = now;
    }

    @Override
    public void measureEnds() {
        measureEnd = read();
        isOver = true;
        compiler.read();
        if (run.timeline().measureEnd() <= run.timeline().measureStart()) { // it never began
            measureStart = measureEnd;
            compiler.start();
        }
        machineBusy = CpuMeter.machineBusy();
        cpusBusy = UsableCpus.read().busySince(cpus);
    }

    @Override
    public void contribute(Findings findings) {
        List<Network> traffic =
                measureEnd.trafficSince(measureStart, findings.recorded().seconds());
        findings.client(new Findings.ClientSide(client(findings), Network.sum(traffic.stream()), traffic));
        findings.evidence().clocks(measureEnd.secondsSince(measureStart), measureEnd.wallAheadSince(measureStart));
        findings.evidence().host(machineBusy, cpusBusy, sharesHost());
    }

    private ClientInfo client(Findings findings) {
        double load = CpuMeter.loadAverage();
        long ok = findings.recorded().okInTime();
        return new ClientInfo(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Threads.name(run.spec(), run.share()),
                threads.polling(),
                findings.recorded().clients().poolSettings(),
                measureEnd.coresSince(measureStart),
                ok == 0 ? 0 : measureEnd.cpu().cpuSecondsSince(measureStart.cpu()) * 1e6 / ok,
                measureEnd.cpu().gcSecondsSince(measureStart.cpu()),
                compiler.seconds(),
                load < 0 ? null : load,
                residentBytes(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .anyMatch(argument -> argument.startsWith("-XX:AOTCache=")),
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
