package io.pgstress.probe.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shell on another machine that prints its files, started by a command such as {@code ssh}. It stays open between readings. Not
 * thread-safe, except {@link #close}.
 */
public final class RemoteShell implements AutoCloseable {
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
