package io.pgstress.probe;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.probe.ServerList.ObservedServer;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess.Between;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.loop.Daemons;
import io.pgstress.verdict.SlowOperations;
import io.pgstress.verdict.SlowOperations.Hit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Samples what the load's sessions wait for on a server, on a thread and a control connection of its own. Each sample asks every
 * client which operation it was in at that moment ({@link io.pgstress.measure.OperationAt}), so that samples are joined with operations whose duration is
 * known. Sessions of a cluster's other servers that work for a client's session are samples of its operations, too.
 * Pace: as fast as {@link Pace} permits. Any thread may call it.
 */
final class WaitSamples implements Probe {
    /** Memory for samples within operations; beyond it, every second sample is dropped. */
    private static final int MAX_HITS = 200_000;

    /** A burst of WAL writes at least this many times the median rate between samples, and {@link #MIN_BURST} bytes per second. */
    private static final double BURST_OF_MEDIAN = 3;

    private static final double MIN_BURST = 10e6;

    /** Bytes of WAL that a replication slot may keep, four segments, before it is said to lag. */
    private static final long MAX_LAG = 64 << 20;

    private static final int MAX_CHAIN = 10;
    private static final int MAX_BLOCKERS = 20;

    /** The first version with {@code backend_type}. */
    private static final int TYPES_SINCE = 10;

    private static final String OWN = "application_name = 'pgstress' and datname = current_database()";

    private static final String SIMPLE = """
        select pid, state, wait_event_type, wait_event, '', hashtext(query), '', '', null, extract(epoch from clock_timestamp()), null, null,
               extract(epoch from state_change)
        from pg_stat_activity where %own%
        """.replace("%own%", OWN);

    /** Before PostgreSQL 9.6, which shows whether a session waits for a lock, but no other waits. */
    private static final String LOCKS = """
        select pid, state, case when waiting then 'Lock' else 'NoLock' end, 'unknown', '', hashtext(query), '', '', null, extract(epoch from clock_timestamp()), null, null,
               extract(epoch from state_change)
        from pg_stat_activity where %own%
        """.replace("%own%", OWN);

    /**
     * Also what else the server does, in rows of their own with a name in column 8: a checkpoint is in progress while the checkpointer does not
     * wait for one.
     */
    private static final String SESSIONS = """
        select pid, state, wait_event_type, wait_event,
               case when wait_event_type = 'Lock' then array_to_string(pg_blocking_pids(pid), ' ') end,
               hashtext(query), backend_type,
               case backend_type when 'checkpointer' then 'checkpoint'
                    when 'autovacuum worker' then coalesce(nullif(left(query, 100), ''), backend_type) end,
               null, extract(epoch from clock_timestamp()), %client%,
               case when not pg_is_in_recovery() then pg_current_wal_lsn() - '0/0' end, extract(epoch from state_change)
        from pg_stat_activity
        where (%client% is not null and datname = current_database())
           or (%own%)
           or (backend_type = 'checkpointer' and wait_event is distinct from 'CheckpointerMain')
           or (backend_type = 'autovacuum worker' and datname = current_database())
        union all
        select 0, null, null, null, null, 0, '', 'replication slot ' || slot_name || ' lags', null, extract(epoch from clock_timestamp()), null, null, null
        from pg_replication_slots
        where case when not pg_is_in_recovery() then pg_current_wal_lsn() - restart_lsn > %lag% end
        """.replace("%own%", OWN).replace("%lag%", String.valueOf(MAX_LAG));

    /** Since PostgreSQL 12, for those who may: while statements sort, hash or keep results on disk. */
    private static final String TEMPORARY_FILES = """
        union all
        select 0, null, null, null, null, 0, '', 'temporary files', null, extract(epoch from clock_timestamp()), null, null, null
        where exists (select from pg_ls_tmpdir())
        """;

    private static final String MAY_LIST_TEMPORARY_FILES = """
        select coalesce(bool_or(has_function_privilege(oid, 'execute')), false)
        from pg_proc where proname = 'pg_ls_tmpdir' and pronargs = 0
        """;

    private static final String BLOCKERS = """
        select pid, state, wait_event_type, wait_event,
               case when wait_event_type = 'Lock' then array_to_string(pg_blocking_pids(pid), ' ') end,
               hashtext(query), backend_type, left(query, 200), application_name
        from pg_stat_activity where pid = any(string_to_array(?, ' ')::int[])
        """;

    /**
     * A session in a sample.
     *
     * @param blockers the processes that it waits for
     * @param query a hash of its statement; 0: it runs none
     */
    record Session(
            @Nullable String state,
            @Nullable String type,
            @Nullable String event,
            List<Integer> blockers,
            int query) {
        static final Session UNKNOWN = new Session(null, null, null, List.of(), 0);

        static Session of(ResultSet row) throws SQLException {
            String blockers = Objects.requireNonNullElse(row.getString(5), "");
            return new Session(
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    blockers.isEmpty()
                            ? List.of()
                            : Stream.of(blockers.split(" ", -1))
                                    .map(Integer::valueOf)
                                    .toList(),
                    "active".equals(row.getString(2)) ? row.getInt(6) : 0);
        }

        /** Whether it runs a statement and does not wait for the server that sent it. */
        boolean works() {
            return "active".equals(state) && !"Client".equals(type);
        }

        /** As the server's totals name it. */
        String inTotals() {
            return "active".equals(state) && event == null
                    ? "active: on CPU"
                    : Objects.requireNonNullElse(state, "?") + ": " + (event == null ? "nothing" : type + "/" + event);
        }
    }

    /** A session that others wait for. */
    private record Blocking(Session session, String type, String name, String statement) {}

    /** What a client's answer is for. */
    interface Joining {
        void join(ActivitySnapshot look, Client client, RunningOperation met);
    }

    /** A sample of all sessions. Its sessions are forgotten when all clients have answered. */
    static final class ActivitySnapshot {
        /** When the server looked, on the clients' clock. */
        long nanos;

        /** Since the start of the measurement, pauses excluded. */
        double seconds;

        final long measureStart;
        final long number;
        final long begun = System.nanoTime();
        final Joining taker;
        long ended;

        /** Bytes of WAL that the server has written since it was initialized; 0: unknown. */
        double wal;

        /** Since the sample before. */
        double walPerSecond;

        /** When sessions that run a statement began it, by the server's clock in seconds. */
        Map<Integer, Double> statements = new HashMap<>();

        /** The time of the look by the server's clock, in seconds. */
        double serverSeconds;

        /** How exactly {@link #nanos} is known. */
        double errorNanos;

        final Set<String> during = new TreeSet<>();
        final Map<Integer, Blocking> blocking = new HashMap<>();

        /** Operations of sessions, as far as known. */
        final Map<Integer, Integer> operations = new HashMap<>();

        Map<Integer, Session> sessions = new HashMap<>();

        /** The processes that work for a client's session, by its number among all servers. */
        Map<Long, List<Integer>> workers = new HashMap<>();

        int open;

        ActivitySnapshot(Joining taker, long nanos, long measureStart, long number) {
            this.taker = taker;
            this.nanos = nanos;
            this.measureStart = measureStart;
            this.number = number;
        }

        /** Whether the session surely ran a statement that began before the operation had its connection: that of an earlier one. */
        boolean isOfEarlier(RunningOperation met) {
            Double began = statements.get(met.session());
            return began != null
                    && nanos >= met.connected()
                    && nanos - (serverSeconds - began) * 1e9 + errorNanos < met.connected();
        }

        /** Says that a client has answered or is not asked any more. */
        private void answered() {
            if (--open == 0) {
                sessions = Map.of();
                workers = Map.of();
                statements = Map.of();
            }
        }

        private List<Integer> blockers(int pid) {
            Session own = sessions.get(pid);
            Blocking other = blocking.get(pid);
            return own != null ? own.blockers : other == null ? List.of() : other.session.blockers;
        }
    }

    /** The client of a recorder, its last operations, and the samples of all servers for which it has not answered. */
    static final class Client {
        /** Samples of several servers may be under way. */
        private static final int MAX_LATEST = 256;

        private static final int UNKNOWN = -1;

        /**
         * Sessions that samples keep for a client that does not answer; beyond it, every second sample is dropped, by its number: clients
         * that hang keep the same samples.
         */
        private static final int MAX_OPEN_SESSIONS = 100_000;

        final ClientRecorder recorder;
        final List<ActivitySnapshot> open = new ArrayList<>();

        /** In order. Operations without an answer are one whose number is unknown. */
        private final ArrayDeque<RunningOperation> latest = new ArrayDeque<>();

        private int taken;
        private long every = 1;

        Client(ClientRecorder recorder) {
            this.recorder = recorder;
        }

        void ask(long nanos) {
            resolve();
            if (recorder.operationAt().isFull()) {
                long end = latest.getLast().end();
                latest.add(new RunningOperation(0, UNKNOWN, false, end, end, nanos));
            }
            recorder.operationAt().ask(nanos);
            taken = 0;
        }

        void add(ActivitySnapshot look, int max) {
            open.add(look);
            if (open.size() > Math.max(2, max)) {
                every *= 2;
            }
            open.removeIf(kept -> {
                boolean isDropped = kept.number % every != 0;
                if (isDropped) {
                    kept.answered();
                }
                return isDropped;
            });
        }

        /** Joins the samples with the operations that have ended since. */
        void resolve() {
            boolean isFull = recorder.operationAt().isFull();
            List<RunningOperation> answer = recorder.operationAt().answer();
            latest.addAll(answer.subList(taken, answer.size()));
            taken = answer.size();
            while (latest.size() > MAX_LATEST) {
                latest.removeFirst();
            }
            long until = isFull
                    ? Long.MAX_VALUE
                    : latest.isEmpty() ? Long.MIN_VALUE : latest.getLast().end();
            open.removeIf(look -> look.nanos <= until && isJoined(look));
            if (open.isEmpty()) {
                every = 1;
            }
        }

        /** Always true. */
        private boolean isJoined(ActivitySnapshot look) {
            for (Iterator<RunningOperation> all = latest.descendingIterator(); all.hasNext(); ) {
                RunningOperation met = all.next();
                if (met.contains(look.nanos) && met.operation() != UNKNOWN) {
                    look.taker.join(look, this, met);
                }
                if (met.contains(look.nanos) || met.end() < look.nanos) {
                    break;
                }
            }
            look.answered();
            return true;
        }
    }

    /**
     * What the samples of all servers of a run share, and the lock of it all: a client has one open question at a time, which is that
     * of the server that asked last.
     */
    static final class Questions {
        private final Map<ClientRecorder, Client> clients = new HashMap<>();

        /** What makes a process of a node a session's number among all servers, by node. */
        private final Map<Integer, Long> offsets = new HashMap<>();
    }

    /** A sample within an operation. */
    private record Sample(
            ActivitySnapshot look,
            RunningOperation met,
            String place,
            String waits,
            int query,
            @Nullable Integer head,
            int chain) {}

    /** The prepared queries of a connection. */
    private record Queries(Connection control, PreparedStatement sessions, PreparedStatement blockers) {}

    private final RunContext run;
    private final ObservedServer server;
    private final ServerLink link;
    private final Questions questions;
    private final @Nullable SessionNumbers numbers;
    private final int node;
    private final Pace pace = new Pace();
    private final ServerClock clock = new ServerClock();
    private final Map<String, Long> waits = new TreeMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final StatementOperations known = new StatementOperations();

    private List<Sample> samples = new ArrayList<>();
    private @Nullable ActivitySnapshot lastLook;
    private @Nullable Queries queries;
    private long looks;
    private long every = 1;
    private @Nullable Thread thread;
    private volatile boolean isOver;

    WaitSamples(RunContext run, ObservedServer server, Notes notes, Questions questions) {
        this.run = run;
        this.server = server;
        this.link = new ServerLink(server, notes);
        this.questions = questions;
        this.numbers = run.target().dialect().sessionNumbers();
        this.node = joinedNode();
    }

    /** Called at the start of the load, too: the pace is known when the measurement begins. */
    @Override
    public void measureStarts() {
        synchronized (questions) {
            if (thread == null && !isOver) {
                run.recorders().stream()
                        .filter(recorder -> recorder.node() == node || works())
                        .map(recorder -> questions.clients.computeIfAbsent(recorder, Client::new))
                        .forEach(clients::add);
                thread = Daemons.start("wait-samples", this::work);
            }
        }
    }

    /** Whether sessions of the server may work for clients of other servers. */
    private boolean works() {
        return numbers != null && server.holdsData();
    }

    /** The number of the node whose sessions are on this server and can be told apart; -1 if there is none. */
    private int joinedNode() {
        Node node = server.node();
        boolean isOwn = node != null
                && !node.access().hasSeveralServers()
                && (node.access().between() == Between.NOTHING || node.access().between() == Between.PROXY);
        return isOwn ? run.target().nodes().indexOf(node) : -1;
    }

    private void work() {
        while (!isOver) {
            long start = System.nanoTime();
            boolean isRefused = false;
            if (!run.signals().pause().isRunning()) {
                try {
                    look(queries());
                } catch (SQLException e) {
                    pace.failed();
                    if (!isOver) {
                        isRefused = ServerErrors.sessionIsAlive(e);
                        link.failed("wait events", e);
                    }
                }
            }
            if (isRefused) {
                return;
            }
            LockSupport.parkNanos(start + pace.nanos() - System.nanoTime());
        }
    }

    private Queries queries() throws SQLException {
        Connection control = link.open();
        Queries known = queries;
        if (known == null || known.control != control) {
            boolean hasTypes = control.getMetaData().getDatabaseMajorVersion() >= TYPES_SINCE;
            boolean isOwn = server.node() == null || !server.node().sharesSessions();
            if (numbers != null && node >= 0) {
                long offset = ControlSql.number(control, numbers.offset());
                synchronized (questions) {
                    questions.offsets.put(node, offset);
                }
            }
            String sessions = SESSIONS.replace("%client%", numbers == null ? "null::bigint" : numbers.client())
                    + (hasTypes && ControlSql.holds(control, MAY_LIST_TEMPORARY_FILES) ? TEMPORARY_FILES : "");
            known = new Queries(
                    control,
                    ControlSql.prepare(
                            control, hasTypes ? sessions : ControlSql.isSince(control, 9, 6) ? SIMPLE : LOCKS, isOwn),
                    ControlSql.prepare(control, BLOCKERS, isOwn));
            queries = known;
        }
        return known;
    }

    /**
     * Takes a sample. The first row has the time on the server, which is compared with the clock of the clients: on a busy machine, the server
     * may look at any time during the query.
     */
    private void look(Queries asked) throws SQLException {
        long start = System.nanoTime();
        ActivitySnapshot look = begin(start);
        double[] serverSeconds = {ServerClock.UNKNOWN};
        ControlSql.rows(asked.sessions, row -> {
            serverSeconds[0] = Math.min(serverSeconds[0], row.getDouble(10));
            look.wal = Math.max(look.wal, row.getDouble(12));
            Session session = Session.of(row);
            String fact = row.getString(8);
            if (fact != null && !fact.isEmpty()) {
                look.during.add(fact);
            } else {
                look.sessions.put(row.getInt(1), session);
                double began = row.getDouble(13);
                if (session.query != 0 && began > 0) {
                    look.statements.put(row.getInt(1), began);
                }
                long client = row.getLong(11);
                if (client != 0) {
                    look.workers.computeIfAbsent(client, c -> new ArrayList<>()).add(row.getInt(1));
                }
            }
            return session;
        });
        look.ended = System.nanoTime();
        look.nanos = clock.local(serverSeconds[0], start, look.ended);
        look.serverSeconds = serverSeconds[0];
        look.errorNanos = clock.errorNanos();
        look.seconds = (run.timeline().sinceStart(look.nanos)
                        - (look.measureStart - run.timeline().origin()))
                / 1e9;
        ActivitySnapshot last = lastLook;
        if (last != null && last.wal > 0) {
            look.walPerSecond = (look.wal - last.wal) / Math.max(1, look.nanos - last.nanos) * 1e9;
        }
        lastLook = look;
        for (int depth = 0; depth < MAX_CHAIN && askForBlockers(asked.blockers, look); depth++) {
            // the blockers may be blocked
        }
        pace.took(System.nanoTime() - start, asked.control);
        add(look);
    }

    /** Asks for the sessions that block others and are not known; returns whether there were any. */
    private static boolean askForBlockers(PreparedStatement blockers, ActivitySnapshot look) throws SQLException {
        Set<Integer> unknown = new HashSet<>();
        look.sessions.values().forEach(session -> unknown.addAll(session.blockers));
        look.blocking.values().forEach(blocking -> unknown.addAll(blocking.session.blockers));
        unknown.removeAll(look.blocking.keySet());
        if (unknown.isEmpty() || look.blocking.size() >= MAX_BLOCKERS) {
            return false;
        }
        blockers.setString(
                1, unknown.stream().limit(MAX_BLOCKERS).map(String::valueOf).collect(Collectors.joining(" ")));
        ControlSql.rows(
                        blockers,
                        row -> Map.entry(
                                row.getInt(1),
                                new Blocking(
                                        Session.of(row),
                                        Objects.requireNonNullElse(row.getString(7), ""),
                                        Objects.requireNonNullElse(row.getString(9), ""),
                                        Objects.requireNonNullElse(row.getString(8), ""))))
                .forEach(found -> look.blocking.put(found.getKey(), found.getValue()));
        unknown.forEach(pid -> look.blocking.putIfAbsent(pid, PREPARED_OR_GONE));
        return true;
    }

    /** Prepared transactions have the number 0. */
    private static final Blocking PREPARED_OR_GONE = new Blocking(Session.UNKNOWN, "", "", "");

    private ActivitySnapshot begin(long nanos) {
        synchronized (questions) {
            clients.forEach(client -> client.ask(nanos));
        }
        return new ActivitySnapshot(this::join, nanos, run.timeline().measureStart(), looks++);
    }

    private void add(ActivitySnapshot look) {
        if (look.nanos < look.measureStart || look.nanos >= run.timeline().measureEnd()) {
            return;
        }
        Set<Integer> own = new HashSet<>(look.sessions.keySet());
        look.workers.values().forEach(own::removeAll);
        synchronized (questions) {
            own.forEach(pid ->
                    waits.merge(Objects.requireNonNull(look.sessions.get(pid)).inTotals(), 1L, Long::sum));
            look.open = clients.size();
            clients.forEach(client -> client.add(look, Client.MAX_OPEN_SESSIONS / clients.size()));
        }
    }

    private void join(ActivitySnapshot look, Client client, RunningOperation met) {
        Long offset = questions.offsets.get(client.recorder.node());
        List<Integer> workers =
                offset == null ? List.of() : look.workers.getOrDefault(offset + met.session(), List.of());
        boolean isOwn = client.recorder.node() == node;
        if (!look.blocking.isEmpty()) {
            workers.forEach(pid -> look.operations.put(pid, met.operation()));
            if (isOwn) {
                look.operations.put(met.session(), met.operation());
            }
        }
        if (met.isCounted() && met.start() >= look.measureStart && look.number % every == 0) {
            if (isOwn && !look.isOfEarlier(met)) {
                samples.add(sample(look, met));
            }
            if (works()) {
                samples.add(sample(look, met, workers));
            }
            if (samples.size() > MAX_HITS) {
                every *= 2;
                samples = new ArrayList<>(samples.stream()
                        .filter(sample -> sample.look.number % every == 0)
                        .toList());
            }
        }
    }

    private Sample sample(ActivitySnapshot look, RunningOperation met) {
        Session session = look.sessions.get(met.session());
        if (look.nanos < met.connected()) {
            return new Sample(look, met, "", OperationWaits.CONNECTION, 0, null, 0);
        }
        if (session == null) {
            return new Sample(look, met, "", OperationWaits.NOT_SAMPLED, 0, null, 0);
        }
        if (session.query != 0 && met.start() <= look.begun && look.ended <= met.end()) {
            known.learn(session.query, met.operation());
        }
        boolean waitsForWorkers = numbers != null
                && "active".equals(session.state)
                && session.event != null
                && numbers.waits().contains(session.type);
        return sample(
                look,
                met,
                "",
                met.session(),
                waitsForWorkers ? OperationWaits.WORKERS : SlowOperations.waits(session.type, session.event),
                session.query);
    }

    /** The sample of a server whose sessions may work for the client's: of several sessions, one that waits. */
    private Sample sample(ActivitySnapshot look, RunningOperation met, List<Integer> workers) {
        String place = server.role() + " " + server.name();
        return workers.stream()
                .filter(pid -> Objects.requireNonNull(look.sessions.get(pid)).works())
                .max(Comparator.comparing(pid -> Objects.requireNonNull(look.sessions.get(pid)).event != null))
                .map(pid -> {
                    Session session = Objects.requireNonNull(look.sessions.get(pid));
                    return sample(look, met, place, pid, SlowOperations.waits(session.type, session.event), 0);
                })
                .orElseGet(() -> new Sample(look, met, place, OperationWaits.ELSEWHERE, 0, null, 0));
    }

    private static Sample sample(
            ActivitySnapshot look, RunningOperation met, String place, int pid, String waits, int query) {
        int head = pid;
        int chain = 0;
        for (List<Integer> next = look.blockers(pid);
                !next.isEmpty() && chain < MAX_CHAIN;
                next = look.blockers(head)) {
            head = next.get(0);
            chain++;
        }
        return new Sample(look, met, place, waits, query, chain == 0 ? null : Integer.valueOf(head), chain);
    }

    @Override
    public void measureEnds() {
        isOver = true;
    }

    @Override
    public void contribute(Findings findings) {
        isOver = true;
        synchronized (questions) {
            waits.forEach((event, count) -> findings.counts().waitEvents.merge(event, count, Long::sum));
            clients.forEach(Client::resolve);
            markBursts(samples.stream().map(Sample::look).distinct().toList());
            if (!clients.isEmpty()) {
                findings.sampled(
                        samples.stream()
                                .filter(this::isOfItsOperation)
                                .map(this::hit)
                                .toList(),
                        pace.sampling(looks));
            }
        }
    }

    private static void markBursts(List<ActivitySnapshot> looks) {
        double[] rates =
                looks.stream().mapToDouble(look -> look.walPerSecond).sorted().toArray();
        double least = rates.length == 0 ? 0 : Math.max(MIN_BURST, BURST_OF_MEDIAN * rates[rates.length / 2]);
        looks.stream().filter(look -> look.walPerSecond >= least).forEach(look -> look.during.add("WAL burst"));
    }

    /** Whether the session ran a statement of the operation: the time at which the server looked is not exact. */
    private boolean isOfItsOperation(Sample sample) {
        return sample.query == 0 || known.mayRun(sample.query, sample.met.operation());
    }

    private Hit hit(Sample sample) {
        RunningOperation met = sample.met;
        return new Hit(
                sample.look.seconds,
                met,
                sample.look.seconds + (met.start() - sample.look.nanos) / 1e9,
                Math.max(0, Math.min(met.end(), sample.look.ended) - Math.max(met.start(), sample.look.begun)),
                sample.place,
                sample.waits,
                sample.look.during,
                sample.head == null ? null : blocker(sample.look, sample.head, met, sample.chain));
    }

    private Blocker blocker(ActivitySnapshot look, int head, RunningOperation met, int chain) {
        Blocking found = look.blocking.getOrDefault(head, PREPARED_OR_GONE);
        Integer operation = look.operations.get(head);
        Blocker.Kind kind;
        String name = found.name;
        if (operation != null) {
            kind = Blocker.Kind.RUN;
            name = operationName(operation);
        } else if (found.name.equals("pgstress") || found.name.equals("pgstress control")) {
            kind = Blocker.Kind.RUN;
        } else if (found.equals(PREPARED_OR_GONE)) {
            kind = head == 0 ? Blocker.Kind.PREPARED_TRANSACTION : Blocker.Kind.UNKNOWN;
        } else if (found.type.isEmpty() || found.type.equals("client backend")) {
            kind = Blocker.Kind.OTHER;
        } else {
            kind = Blocker.Kind.MAINTENANCE;
            name = found.type;
        }
        return new Blocker(
                operationName(met.operation()),
                kind,
                name,
                found.statement.replaceAll("\\s+", " ").strip(),
                Objects.requireNonNullElse(found.session.state, ""),
                1,
                chain);
    }

    private String operationName(int operation) {
        return run.timeline().shapes().get(operation).name();
    }

    @Override
    public void close() {
        isOver = true;
        link.drop();
    }

    /** The server's clock, as compared in the shortest of the last queries, whose middle is known best. Not thread-safe. */
    static final class ServerClock {
        /** By how much a comparison grows older with each query: the clocks drift apart. */
        private static final double AGEING = 1.02;

        /** The server's time if it has no session to tell it, as a worker of Citus at first. */
        static final double UNKNOWN = Double.MAX_VALUE;

        private double shortest = Double.MAX_VALUE;
        private double aheadNanos;

        /**
         * When the server looked, on this process's clock and within the query.
         *
         * @param serverSeconds the server's time
         */
        long local(double serverSeconds, long start, long end) {
            double middle = start + (end - start) / 2.0;
            if (serverSeconds == UNKNOWN) {
                return Math.round(middle);
            }
            shortest *= AGEING;
            if (end - start <= shortest) {
                shortest = end - start;
                aheadNanos = serverSeconds * 1e9 - middle;
            }
            return Math.max(start, Math.min(end, Math.round(serverSeconds * 1e9 - aheadNanos)));
        }

        /** It is hardly off by more. */
        double errorNanos() {
            return shortest;
        }
    }

    /** The operations that run a statement, learned from those that lasted for a whole sample. Not thread-safe. */
    static final class StatementOperations {
        /** With literals in their text, there are as many statements as operations. */
        static final int MAX = 10_000;

        private final Map<Integer, Set<Integer>> operations = new HashMap<>();

        void learn(int statement, int operation) {
            if (operations.size() < MAX || operations.containsKey(statement)) {
                operations.computeIfAbsent(statement, s -> new HashSet<>()).add(operation);
            }
        }

        /** Whether the operation is known to run the statement, or none is. */
        boolean mayRun(int statement, int operation) {
            Set<Integer> known = operations.get(statement);
            return known == null || known.contains(operation);
        }

        int size() {
            return operations.size();
        }
    }

    /**
     * How often to sample: as often as the server's process needs for it no more than {@value #SHARE} of a core. Where its CPU time
     * cannot be read, the shortest duration of a sample stands for it. Not thread-safe, except {@link #nanos}.
     */
    static final class Pace {
        static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
        private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final long FAILED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
        private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

        /** Half of what is permitted: the cost of a sample varies. */
        private static final double SHARE = 0.005;

        private static final int BATCH = 8;

        /** The first number is the time on a CPU in nanoseconds. */
        private static final String CPU =
                "select split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)";

        private volatile long nanos = FIRST_NANOS;
        private long count;
        private long least = Long.MAX_VALUE;
        private boolean hasCpu = true;
        private long firstAt;
        private long firstCpu;
        private long lastCpu;
        private double share;

        /** Until the next sample begins. */
        long nanos() {
            return nanos;
        }

        void failed() {
            nanos = FAILED_NANOS;
        }

        /** Records the duration of a sample, and now and then the CPU time of the process that answered it. */
        void took(long elapsed, Connection control) throws SQLException {
            least = Math.min(least, elapsed);
            if (count++ % BATCH == 0) {
                long cpu = cpu(control);
                long now = System.nanoTime();
                if (count == 1) {
                    firstAt = now;
                    firstCpu = cpu;
                } else {
                    cost(hasCpu ? (cpu - lastCpu) / BATCH : least);
                    share = hasCpu ? (double) (cpu - firstCpu) / (now - firstAt) : (double) least / nanos;
                }
                lastCpu = cpu;
                least = Long.MAX_VALUE;
            }
        }

        /** Sets the pace by the CPU time of a sample. */
        void cost(long perSample) {
            nanos = Math.max(MIN_NANOS, Math.min(MAX_NANOS, Math.round(perSample / SHARE)));
        }

        private long cpu(Connection control) throws SQLException {
            if (hasCpu) {
                try {
                    return ControlSql.number(control, CPU);
                } catch (SQLException e) {
                    if (!ServerErrors.sessionIsAlive(e)) {
                        throw e;
                    }
                    hasCpu = false; // what the role may not read is noted by others
                }
            }
            return 0;
        }

        /** The cost so far. */
        Sampling sampling(long samples) {
            return new Sampling(samples, nanos / 1e6, share, hasCpu && firstCpu > 0);
        }
    }
}
