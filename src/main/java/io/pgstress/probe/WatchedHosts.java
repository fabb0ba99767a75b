package io.pgstress.probe;

import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineWatch;
import io.pgstress.plan.RunOptions;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Observes the machines of {@code --watch-host}, which run no server that could be asked, such as a GTM's. */
public final class WatchedHosts implements Probe {
    private static final long MAX_SECONDS = 10;

    private static final List<String> SSH = List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5");

    /** A machine, asked on a thread of its own. */
    private static final class Host implements MachineWatch.Source {
        private final String name;
        private final MachineWatch machine;
        private final RemoteShell shell;
        private final QuestionThread asking = new QuestionThread(MAX_SECONDS);
        private final AtomicBoolean isReading = new AtomicBoolean();
        private volatile String failure = "";

        private Host(String name, LongUnaryOperator sinceStart) {
            this.name = name;
            this.machine = new MachineWatch(name, "", false, this, sinceStart);
            this.shell = new RemoteShell(SSH, name);
        }

        @Override
        public @Nullable MachineFiles read(List<String> paths) {
            try {
                return failure.isEmpty() ? shell.read(paths) : null;
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
                return null;
            }
        }

        @Override
        public void hasNoCounters(String why) {
            failure = why;
        }

        /** Why it has no figures. */
        private String failureOr(String otherwise) {
            return failure.isEmpty() ? otherwise : failure;
        }
    }

    private final RunContext run;
    private final List<Host> hosts;
    private long nextSample;

    public WatchedHosts(RunContext run) {
        this.run = run;
        this.hosts = run.spec().get(RunOptions.WATCH_HOST).stream()
                .map(name -> new Host(name, run.timeline()::sinceStart))
                .toList();
    }

    @Override
    public void start() throws InterruptedException {
        List<QuestionThread.Question<Boolean>> asked = hosts.stream()
                .map(host -> host.asking.begin(() -> {
                    host.machine.start();
                    return host.failure.isEmpty();
                }))
                .toList();
        for (int i = 0; i < asked.size(); i++) {
            if (!asked.get(i).orElse(false)) {
                Host host = hosts.get(i);
                run.warn(RemarkCode.WATCHED_HOST_NOT_READABLE
                        .with("host", host.name)
                        .with("why", host.failureOr("no answer within " + MAX_SECONDS + " s"))
                        .remark());
            }
        }
    }

    @Override
    public void measureStarts() {
        nextSample = System.nanoTime() + MachineWatch.SAMPLE_NANOS;
        hosts.forEach(host -> host.asking.tell(host.machine::start));
    }

    @Override
    public void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + MachineWatch.SAMPLE_NANOS;
            hosts.forEach(host -> host.asking.tell(host.isReading, host.machine::sample));
        }
    }

    @Override
    public void measureEnds() {
        hosts.forEach(host -> host.asking.tell(host.machine::end));
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        for (Host host : hosts) {
            host.asking.begin(() -> true).orElse(false); // after the readings asked for so far
            MachineProfile profile = host.machine.profile(
                    findings.measureStart(), findings.recorded().seconds());
            findings.otherMachine(host.name, profile);
            if (!host.failure.isEmpty() || profile == null) {
                findings.note(RemarkCode.WATCHED_HOST_NOT_READABLE
                        .with("host", host.name)
                        .with("why", host.failureOr("no answer"))
                        .remark());
            }
        }
    }

    @Override
    public void hurry() {
        hosts.forEach(host -> host.asking.hurry());
    }

    @Override
    public void close() {
        hosts.forEach(host -> {
            host.shell.close();
            host.asking.close();
        });
    }

    /**
     * A shell on another machine that prints its files, started by a command such as {@code ssh}. It stays open between readings. Not
     * thread-safe, except {@link #close}.
     */
    public static final class RemoteShell implements AutoCloseable {
        private static final String END = "==> pgstress end <==";

        private final List<String> command;
        private volatile @Nullable Process process;

        /**
         * @param command words to which the host and {@code sh} are added
         * @param host the machine
         */
        public RemoteShell(List<String> command, String host) {
            this.command = new ArrayList<>(command);
            this.command.add(host);
            this.command.add("sh");
        }

        /**
         * Reads the files.
         *
         * @throws IOException if the command cannot be started, or ended; its message is the last line that it printed
         */
        public MachineFiles read(List<String> paths) throws IOException {
            Process shell = open();
            Writer in = shell.outputWriter(StandardCharsets.UTF_8);
            BufferedReader out = shell.inputReader(StandardCharsets.UTF_8);
            String last = "";
            try {
                in.write(MachineFiles.command(paths) + "; echo '" + END + "'\n");
                in.flush();
            } catch (IOException e) {
                last = String.valueOf(e.getMessage()); // the command has ended; it may have said why
            }
            StringBuilder text = new StringBuilder();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(END)) {
                    return MachineFiles.parse(text.toString());
                }
                text.append(line).append('\n');
                last = line.isBlank() ? last : line;
            }
            close();
            throw new IOException(last.isEmpty() ? "the command ended" : last);
        }

        private Process open() throws IOException {
            Process running = process;
            if (running == null || !running.isAlive()) {
                running = new ProcessBuilder(command).redirectErrorStream(true).start();
                process = running;
            }
            return running;
        }

        @Override
        public void close() {
            Process running = process;
            if (running != null) {
                running.destroy();
            }
        }
    }
}
