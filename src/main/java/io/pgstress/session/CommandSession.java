package io.pgstress.session;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Table;
import io.pgstress.importer.BundledData;
import io.pgstress.importer.Importer;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.server.ServerRequest;
import io.pgstress.session.StartedServers.Started;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.PasswordFile;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.target.embedded.EmbeddedServer.TemporaryDirectory;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import io.pgstress.target.settings.SettingsCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a command works on: the servers that it names, or those that it starts, which run until the session is closed. Every
 * run of the command is opened here, so that all commands make the same checks in the same order. Belongs to one thread.
 */
public final class CommandSession implements AutoCloseable {
    private final List<Endpoint> named;
    private final ServerRequest request;
    private final StartedServers servers;
    private final Interruption interruption;
    private final String kept;
    private final Consumer<String> notes;
    private final PasswordPrompt passwords;
    private final Map<List<Object>, Table> tables = new HashMap<>();
    private boolean isRestored = true;

    private CommandSession(
            List<Endpoint> named,
            ServerRequest request,
            Interruption interruption,
            String kept,
            Consumer<String> notes,
            PasswordPrompt passwords) {
        this.named = List.copyOf(named);
        this.request = request;
        this.servers = new StartedServers(DataHome.of(System.getenv()), notes);
        this.interruption = interruption;
        this.kept = kept;
        this.notes = notes;
        this.passwords = passwords;
    }

    /**
     * Opens the session. Servers that are named are not connected to yet; the embedded server is started.
     *
     * @param named the servers; empty: the embedded server
     * @param interruption the signals of the command, which end the session's opening
     * @param kept what remains if a signal ends the command before it has done anything, for the last message
     * @param notes receives lines for the user: unsafe permissions, settings that an earlier run left behind, builds that are fetched
     */
    public static CommandSession open(
            List<Endpoint> named, Interruption interruption, String kept, Consumer<String> notes) {
        // whoever asks for a connector says who knows its password
        return open(new CommandSession(named, ServerRequest.EMBEDDED, interruption, kept, notes, PasswordPrompt.NONE));
    }

    /**
     * Opens a session for a run, and starts the server that it needs. Further runs may need others, which are then started.
     *
     * @param passwords asks for passwords that are missing
     */
    public static CommandSession open(
            RunSpec spec, Interruption interruption, String kept, Consumer<String> notes, PasswordPrompt passwords) {
        return open(new CommandSession(spec.endpoints(), spec.server(), interruption, kept, notes, passwords));
    }

    private static CommandSession open(CommandSession session) {
        Path home = DataHome.of(System.getenv());
        session.interruption.atForcedEnd(() -> TemporaryDirectory.removeOwn(home));
        session.interruption.atForcedEnd(session::close);
        if (!session.named.isEmpty()) {
            session.enter("the servers to answer");
        }
        TemporaryDirectory.removeLeft(home);
        List<Endpoint> endpoints = session.named.isEmpty() ? List.of(session.endpoint()) : session.named;
        List<Journal> leftBehind = Journal.leftBehind(home).stream()
                .filter(journal -> journal.concerns(endpoints))
                .toList();
        if (!session.named.isEmpty()) {
            String unsafe = PasswordFile.choose(System.getenv());
            if (!unsafe.isEmpty()) {
                session.notes.accept(unsafe);
            }
        }
        AlteredSettings.forgetUndone(
                leftBehind,
                endpoints.stream().flatMap(each -> each.eachHost().stream()).toList());
        Journal.stillInForce("a killed run left", leftBehind).forEach(session.notes);
        return session;
    }

    private void enter(String waitingFor) {
        interruption.enter(CommandPart.uninterruptible(waitingFor, kept));
        interruption.check();
    }

    private Started started(ServerRequest server) {
        Started running = servers.running(server);
        if (running != null) {
            return running;
        }
        try {
            enter(server + " to start");
            Started made = servers.start(server, interruption::check);
            enter("the servers to answer");
            return made;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The first server. */
    public Endpoint endpoint() {
        return named.isEmpty() ? started(request).endpoint() : named.get(0);
    }

    /**
     * A connector to the first server for commands that put it under no load.
     */
    public Connector connector(Login login) {
        return new Connector(endpoint(), login);
    }

    /** A copy of the run. If it has no server or no table that it needs, it gets the session's servers and the sample table. */
    public RunSpec complete(RunSpec spec) {
        RunSpec here = !spec.endpoints().isEmpty()
                ? spec
                : spec.withEndpoints(
                        named.isEmpty() || !spec.server().isEmbedded()
                                ? List.of(started(spec.server()).endpoint())
                                : named);
        if (here.table().isPresent() || !Operations.needsTable(here)) {
            return here;
        }
        Started running = startedFor(here);
        return here.withTable(running == null ? BundledData.DEFAULT_TABLE : running.table());
    }

    /**
     * Connects to the servers of a run. The first call also imports the dump that is named for a server that the session started, or
     * else the sample data, if they are missing there; these into a temporary one only if the run needs a table.
     *
     * @throws TargetException if a server cannot be reached or does not answer
     * @throws io.pgstress.interrupt.Interruption.InterruptedCommandException after a signal
     */
    public Target connect(RunSpec spec) throws InterruptedException {
        interruption.check();
        RunSpec complete = complete(spec);
        Target target = Target.open(complete, passwords);
        interruption.check();
        Started running = startedFor(complete);
        if (running != null && running.takesData(complete.server(), Operations.needsTable(complete))) {
            importData(target, running, complete.server());
        }
        return target;
    }

    /**
     * Checks whether further servers have room on the disk for what the largest one has.
     *
     * @throws TargetException if they do not
     */
    public void checkRoom(int furtherServers) {
        servers.checkRoom(furtherServers);
    }

    /** The server of a complete run that this session started; null if it did not. */
    private @Nullable Started startedFor(RunSpec complete) {
        Started running = servers.running(complete.server());
        return running != null && complete.endpoints().get(0).equals(running.endpoint()) ? running : null;
    }

    /** An import of the sample that a signal interrupts continues with the next command. */
    private void importData(Target target, Started running, ServerRequest server) throws InterruptedException {
        String data = server.dump().isEmpty() ? "the sample data" : server.dump();
        interruption.enter(CommandPart.ofThread(Thread.currentThread(), "the import of " + data + " to stop", kept));
        Connector connector = target.first().connector();
        try {
            if (server.dump().isEmpty()) {
                BundledData.importIfMissing(connector, target.dialect());
            } else {
                notes.accept("importing " + data + " into " + server);
                running.loads(Importer.importWhole(Path.of(server.dump()), connector, target.dialect()));
            }
        } catch (SQLException e) {
            throw new TargetException("cannot import " + data + " into " + server + ": " + ServerErrors.sampleOf(e), e);
        } catch (IOException e) {
            throw new TargetException("cannot import " + data + " into " + server + ": " + e.getMessage(), e);
        }
        enter("the servers to answer");
    }

    /**
     * Connects to the servers of a run, checks the requested settings, and reads the table, each table once per session.
     *
     * @throws TargetException if a server cannot be reached, a setting does not take effect, or the table cannot be used
     * @throws io.pgstress.interrupt.Interruption.InterruptedCommandException after a signal
     */
    public PreparedRun prepare(RunSpec spec) throws InterruptedException {
        return prepare(spec, connect(spec));
    }

    /** Prepares a run whose clients connect: each server must have enough free connections. */
    public PreparedRun prepareLoad(RunSpec spec) throws InterruptedException {
        Target target = connect(spec);
        FreeConnections.check(target, spec.pool());
        return prepare(spec, target);
    }

    private PreparedRun prepare(RunSpec spec, Target target) {
        RunSpec complete = complete(spec);
        Table table;
        try {
            SettingsCheck.check(target, complete.settings());
            interruption.check();
            table = tables.computeIfAbsent(
                    tableKey(complete), key -> Operations.table(complete, target, new IdProgress(interruption, notes)));
        } catch (TargetException e) {
            throw e.named(target.first().facts().nodeNames());
        }
        interruption.check();
        Started running = startedFor(complete);
        return new PreparedRun(
                complete,
                target,
                table,
                running == null ? null : running.server().build());
    }

    /** Runs with equal keys use the same table with the same ids. */
    private static List<Object> tableKey(RunSpec spec) {
        return List.of(
                spec.endpoints().get(0).url(),
                spec.table().map(TableName::toString).orElse(""),
                Operations.needsTable(spec) ? "" : spec.mixLabel(),
                spec.get(RunOptions.KEY_SAMPLE),
                spec.seed());
    }

    /** Settings of whole servers that a run changed; closing puts them back. */
    public interface Altered extends AutoCloseable {
        /** Puts the settings back. Those that cannot be put back are noted, and {@link #isRestored} is false from then on. */
        @Override
        void close();
    }

    /**
     * Changes the settings of whole servers that a run requests.
     *
     * @throws TargetException if one cannot be changed; none is changed then
     */
    public Altered alterServers(PreparedRun run) {
        Map<String, String> requested = run.spec().alterSystem();
        if (requested.isEmpty()) {
            return () -> {};
        }
        Journal journal = Journal.own(DataHome.of(System.getenv()));
        interruption.remains(() -> Journal.stillInForce("this run leaves", List.of(journal)));
        AlteredSettings altered;
        try {
            altered = AlteredSettings.apply(ClusterNode.of(run.target()), requested, journal);
        } catch (SQLException e) {
            throw new TargetException("--alter-system: " + ServerErrors.sampleOf(e), e);
        }
        return () -> {
            altered.close();
            altered.failures().forEach(notes);
            altered.taken().forEach(notes);
            isRestored &= altered.failures().isEmpty();
        };
    }

    /** Whether all settings that were changed have been put back. */
    public boolean isRestored() {
        return isRestored;
    }

    /** Stops the servers that it started, the embedded one unless another command uses it. */
    @Override
    public void close() {
        boolean isInterrupted = Thread.interrupted(); // the servers are stopped all the same
        try {
            servers.close();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Reports every few seconds how many ids have been read, and ends the reading after a signal. Belongs to one thread. */
    static final class IdProgress implements KeyProgress {
        private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

        private final Interruption interruption;
        private final Consumer<String> notes;
        private long reported = System.nanoTime();

        IdProgress(Interruption interruption, Consumer<String> notes) {
            this.interruption = interruption;
            this.notes = notes;
        }

        /** @throws io.pgstress.interrupt.Interruption.InterruptedCommandException after a signal */
        @Override
        public void read(long read, long all) {
            interruption.check();
            long now = System.nanoTime();
            if (now - reported >= INTERVAL_NANOS) {
                reported = now;
                notes.accept(String.format(Locale.ROOT, "reading ids: %,d of about %,d", read, all));
            }
        }
    }
}
