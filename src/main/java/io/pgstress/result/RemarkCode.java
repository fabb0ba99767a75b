package io.pgstress.result;

import static io.pgstress.result.RemarkCode.Severity.NOT_VALID;
import static io.pgstress.result.RemarkCode.Severity.WARNING;

import java.util.List;

/**
 * All remarks that a result can have. Each constant states what was seen (the sentence, with the names of its figures in order), what
 * follows from it for the reader, and what to do. The table in {@code docs/measurement.md} is made of them. Codes are stable: programs
 * compare them.
 */
public enum RemarkCode {
    // The end of the run

    ENDED_EARLY(
            NOT_VALID,
            "ended early: %s",
            "why",
            "The figures are those of a shorter run under other conditions.",
            "Remove the cause and run again."),
    STOPPED_EARLY(
            WARNING,
            "ended early: %s",
            "why",
            "The figures hold for the time that was measured.",
            "Let the run end if you need its whole length."),

    // Outcomes of operations

    NO_SUCCESS(NOT_VALID, "no operation%s succeeded", "which", "There is no rate.", "Read the errors."),
    NO_SUCCESS_OF(
            NOT_VALID,
            "no %s succeeded: %,d failed",
            "operation, failed",
            "The mix is not the one requested.",
            "Read its errors."),
    NONE_ENDED(
            NOT_VALID,
            "no operation both began and ended within the measurement: measure for longer",
            "",
            "There is no rate, or no time.",
            "Use a longer `--duration`."),
    TOO_MANY_FAILED(
            NOT_VALID,
            "%,d of %,d operations failed (%.2f%%), more than --max-error-rate %s; %s",
            "failed, ended, percent, limit, mostOften",
            "The load was not the one requested.",
            "Read the errors, or raise `--max-error-rate`."),
    FAILED(
            WARNING,
            "%,d of %,d operations failed (%.2f%%); they are excluded from rates and times; %s",
            "failed, ended, percent, mostOften",
            "Rates and times are those of the successful operations.",
            "Read the errors."),
    MISSES(
            WARNING,
            "%.1f%% of %s matched no row; misses are excluded from rates",
            "percent, operation",
            "The rate counts only operations that found something.",
            "Check `--table`, and whether other sessions delete rows."),
    DUPLICATES(
            WARNING,
            "%.1f%% of %s met a duplicate key; duplicates are excluded from rates",
            "percent, operation",
            "The rate counts only operations that wrote something.",
            "Use another copy table or another `--seed`."),
    UNFINISHED(
            WARNING,
            "%,d operations had not finished at the end of the drain",
            "unfinished",
            "Their times are lower bounds.",
            "Increase `--drain`."),
    P99_IS_LOWER_BOUND(
            NOT_VALID,
            "%,d operations (%.1f%%) had not finished at the end of the drain: the mean and the percentiles are only lower bounds (see"
                    + " --drain)",
            "unfinished, percent",
            "The times are higher.",
            "Increase `--drain`."),
    HUNG_CLIENTS(
            NOT_VALID,
            "%d clients took no part in the measurement: the operation each had started earlier had not finished at the end of"
                    + " the drain",
            "clients",
            "The load was that of fewer clients.",
            "Look for locks or a server that hangs."),

    // Availability

    SERVER_UNAVAILABLE(
            NOT_VALID,
            "%s was unavailable from %.3f s to %.3f s (%s)",
            "server, fromSeconds, toSeconds, evidence",
            "The rate is not that of normal operation.",
            "Read the server's log."),
    CONNECTIONS_BROKE(
            WARNING,
            "connections to %s broke, and no operation succeeded from %.3f s to %.3f s (%s), although the server answered its checks",
            "server, fromSeconds, toSeconds, errors",
            "The rate contains the time until clients were connected again.",
            "Look at what is between client and server, and for whoever ends sessions."),
    SERVER_SILENT(
            NOT_VALID,
            "%s did not answer its checks between %.1f s and %s",
            "server, fromSeconds, to",
            "The server or the network to it stopped for a time.",
            "Read the server's log."),
    SERVER_SILENT_AFTERWARDS(
            WARNING,
            "%s did not answer its checks between %.1f s and %s",
            "server, fromSeconds, to",
            "Counters of that server may be missing; the measurement was over.",
            "Read the server's log."),
    CHECKS_UNANSWERED(
            WARNING,
            "%s did not answer its checks between %.1f s and %s, although operations on it continued",
            "server, fromSeconds, to",
            "Only the control connection was lost.",
            "Nothing, unless it happens again."),
    ALL_SERVERS_SILENT(
            WARNING,
            "all %d servers of the cluster were silent at once, at about %.0f s%s",
            "servers, atSeconds, hint",
            "The cause is something that they share.",
            "Look at the network, at the machine, or at what the remark names."),
    OUTAGE(
            WARNING,
            "no operation succeeded%s from %.3f s to %.3f s (%.3f s%s)",
            "where, fromSeconds, toSeconds, seconds, silentServers",
            "Nothing was served in that time.",
            "Look for checkpoints, locks and failovers at that time."),
    MOSTLY_IDLE(
            NOT_VALID,
            "no operation succeeded in %.0f%% of the measurement: the rate is not that of normal operation",
            "percent",
            "The rate is a mean of work and standstill.",
            "Find the cause of the outage."),
    LOCK_WAITS(
            WARNING,
            "sessions on the server waited for locks in %.0f%% of the samples (most often: %s): another operation or"
                    + " session held them",
            "percent, lock",
            "Times contain waiting for other sessions.",
            "Use a larger table, or find the session that holds the locks."),
    STALL(
            WARNING,
            "a stall: the slowest %s took %.1f s, %.0f times its median",
            "operation, seconds, medians",
            "A closed load shows a stall once per client only.",
            "Look for the cause named with it; use `--rate` to see what users would see."),
    LONG_OPERATION(
            WARNING,
            "the slowest operation%s between %.3f s and %.3f s took %.3f s: %s",
            "ofSlow, fromSeconds, toSeconds, seconds, cause",
            "The maximum and high percentiles are due to this.",
            "Remove the cause, if it is on the client."),

    // The load

    OVERLOAD(
            NOT_VALID,
            "overload: served %,.0f of %,.0f operations per second; the backlog grew by %,.0f per second, to %,d",
            "served, due, backlogPerSecond, backlog",
            "Response times grow for as long as the run lasts.",
            "Use a lower `--rate`, or more clients."),
    OVERLOAD_IN_STEPS(
            WARNING,
            "overload: served %,.0f of %,.0f operations per second; the backlog grew by %,.0f per second, to %,d; the server kept"
                    + " up at %,.0f per second",
            "served, due, backlogPerSecond, backlog, sustained",
            "The last steps were beyond what the server can do, as intended.",
            "Read the table of steps."),
    IN_FLIGHT(
            WARNING,
            "%,d of the %,d operations that were due ended within the measurement; the others were still in flight at its end",
            "ended, due",
            "The rate is lower than the target only because the window is short.",
            "Use a longer `--duration`."),
    IDS_USED_UP_OFTEN(
            WARNING,
            "the ids were used up every %,d operations, and %,d clients waited for each other: use a larger table",
            "operations, clients",
            "Clients waited for each other often.",
            "Use a larger table."),
    WARMUP_CUT(
            WARNING,
            "%s after a warm-up of %.1f s (see --warmup-limit)",
            "missing, seconds",
            "The measurement began before throughput was steady.",
            "Increase `--warmup-limit`."),
    UNSTEADY(
            WARNING,
            "throughput %s by %.0f%% from the first to the last third of the measurement: there is no steady state",
            "direction, percent",
            "The rate depends on when you measure.",
            "Use a longer `--warmup` and `--duration`."),
    UNSTEADY_AFTER_WARMUP(
            NOT_VALID,
            "throughput %s by %.0f%% from the first to the last third of the measurement: there is no steady state; run it again"
                    + " with a longer --duration and --warmup-limit",
            "direction, percent",
            "The rate depends on when you measure.",
            "Use a longer `--duration` and `--warmup-limit`."),
    FEW_INTERVALS(
            WARNING,
            "measured for only %d interval%s: too few to show a trend",
            "intervals, plural",
            "A trend within the measurement cannot be seen.",
            "Use a longer `--duration` or a shorter `--interval`."),
    SHORT_WINDOW(
            WARNING,
            "the measurement of %s holds %s %.1f operations per client (each takes %s): the rate depends on where the window"
                    + " lies; measure for at least %s",
            "measured, only, operationsPerClient, mean, enough",
            "The rate depends on where the window lies.",
            "Use a longer `--duration`."),
    RATE_OF_WINDOW(
            NOT_VALID,
            "the rate is an artifact of the window: %,d clients whose operations take %s cannot complete more than %,.1f per"
                    + " second, but %,.1f ended in each second of the measurement%s",
            "clients, mean, possible, ended, advice",
            "The rate is higher than the clients can reach.",
            "Use a longer `--duration`."),
    IDLE_CLIENTS(
            NOT_VALID,
            "clients spent only %.0f%% of the time in operations (rate x mean time, Little's law): they waited elsewhere, and the"
                    + " load is that of %,.1f clients, not %,d",
            "percent, busyClients, clients",
            "The load was that of fewer clients.",
            "Use a larger client machine."),
    UNEVEN_CLIENTS(
            WARNING,
            "clients were not served equally%s: %,d to %,d operations per client, mean %,.0f; the percentiles contain more"
                    + " operations of the faster clients",
            "where, least, most, mean",
            "The percentiles contain more operations of the faster clients.",
            "See [fairness](#fairness)."),

    // The client

    SHARED_HOST(
            WARNING,
            "client and server share a host%s: they compete for its cores%s",
            "idle, waits",
            "The rate is that of both together.",
            "Run the client on another machine."),
    CLIENT_CPU(
            WARNING,
            "the client used %.2f of %d cores%s",
            "cores, cpus, waits",
            "The client may be the limit.",
            "Use a larger client machine, or [several](reports.md#several-hosts)."),
    CLIENT_HOST_FULL(
            WARNING,
            "the client's host was idle under 5%% of the time",
            "",
            "The client may be the limit.",
            "Use a larger client machine, and run nothing else on it."),
    CLIENT_COLLECTOR(
            WARNING,
            "the client's garbage collector paused %.1f%% of the time",
            "percent",
            "Times contain the pauses.",
            "Give the JVM more memory (`STRESS_JAVA_OPTS=-Xmx2g`)."),
    CLIENT_COMPILER(
            WARNING,
            "the JVM's compiler used %.2f s of the client's %.2f s of CPU time in the measurement: warm up for longer",
            "compilerSeconds, clientSeconds",
            "The client was still warming up.",
            "Increase `--warmup` (with `auto`, `--warmup-limit`); use JDK 25 or newer with the [start-up cache](start-up-cache.md)."),
    CLIENT_WAITS(
            WARNING,
            "the latencies include waiting inside the load tester: %s; do not compare them with those of another kind of client"
                    + " threads",
            "waits",
            "Times are longer than the server's.",
            "See [waiting in the client](#waiting-in-the-client)."),
    LATE_READINGS(
            NOT_VALID,
            "the run's own thread was delayed: CPU and network figures cover %.1f s, not the %.1f s that were measured",
            "readSeconds, measuredSeconds",
            "CPU and network figures are of another time than the rate.",
            "Use a larger client machine."),
    WALL_CLOCK(
            WARNING,
            "the host's wall clock moved by %.1f s against its monotonic clock: it was set, or the host was paused",
            "seconds",
            "If the host was paused, times contain the pause.",
            "Look for a suspended machine or a clock that was set."),
    OPEN_FILES(
            WARNING,
            "the client may open %,d files and sockets, and runs %,d clients: raise the limit (ulimit -n)",
            "limit, clients",
            "Clients may fail to connect.",
            "Raise the limit (`ulimit -n`)."),

    // Machines and servers

    HUGE_PAGES(
            WARNING,
            "transparent huge pages are on for all memory of %s: they can cause stalls; set"
                    + " /sys/kernel/mm/transparent_hugepage/enabled to madvise",
            "machine",
            "The server may stall.",
            "Set `/sys/kernel/mm/transparent_hugepage/enabled` to `madvise`."),
    SINGLE_RECEIVE_QUEUE(
            WARNING,
            "a network card of %s has a single receive queue: one of %d CPUs handles all its interrupts; rps_cpus can distribute the"
                    + " work",
            "machine, cpus",
            "One CPU can be the limit while the others are idle.",
            "Distribute the work by `rps_cpus`."),
    FEW_CONNECTIONS(
            WARNING,
            "%s accepts %,d connections (max_connections), fewer than %s: their statements may have to wait for one, or fail",
            "server, limit, needed",
            "Statements may wait for connections between the servers, or fail.",
            "Raise `max_connections`, or use fewer clients."),
    SHARED_SESSIONS(
            WARNING,
            "%s is behind a transaction pooler: connections have no server session of their own, so what the server reports of a"
                    + " session (settings, plans, waits) may be another client's, and waits for a server session count as the"
                    + " server's time",
            "url",
            "Figures of sessions may be those of other clients.",
            "Connect to the server itself to see them."),
    SEVERAL_SERVERS(
            WARNING,
            "%s leads to several servers (%s), and not each can be reached by its own address: the servers' counters and the checks"
                    + " are those of whichever a control connection reached",
            "url, servers",
            "Counters and checks are those of one of the servers.",
            "Name the servers with `--hosts`."),
    SETTINGS_BY_SQL(
            WARNING,
            "%s is behind a pooler that refuses startup options: %s set by SQL after connecting",
            "url, settings",
            "The settings hold only for sessions that keep them.",
            "Allow the startup options in the pooler (`ignore_startup_parameters` does not)."),
    POSTGRES_XL_LOSES_INSERTS(
            WARNING,
            "Postgres-XL with persistent_datanode_connections = on acknowledges inserts by prepared and extended statements and"
                    + " loses them: use --statement plain or --transaction, or turn the setting off",
            "",
            "Acknowledged inserts are lost.",
            "Use `--statement plain` or `--transaction`, or turn the setting off."),
    POSTGRES_XL_PANICS(
            WARNING,
            "Postgres-XL's servers panic under prepared inserts in transactions and leave prepared transactions behind: use"
                    + " --statement plain or extended, or leave out --transaction",
            "",
            "Servers may crash.",
            "Use `--statement plain` or `extended`, or leave out `--transaction`."),
    POSTGRES_XL_KEEPS_OLD_ROWS(
            WARNING,
            "Postgres-XL with global_snapshot_source = coordinator can keep the old version of a row that is updated through several"
                    + " coordinators, so that its id is in the table twice: use one coordinator, or global_snapshot_source = gtm",
            "",
            "Ids can be in the table twice.",
            "Use one coordinator, or `global_snapshot_source = gtm`."),

    CHECKPOINT(
            WARNING,
            "%s of %s began within the measurement, which may slow down a part of it: run CHECKPOINT before, or measure for"
                    + " several times checkpoint_timeout",
            "checkpoints, server",
            "A part of the measurement may be slower than the rest.",
            "Run `CHECKPOINT` before, or measure for several times `checkpoint_timeout`."),
    AUTOVACUUM(
            WARNING,
            "autovacuum of %s worked within the measurement (on %s), which is part of this load if it writes",
            "server, tables",
            "A part of the measurement may be slower than the rest.",
            "Measure for longer."),
    AUTOVACUUM_FROM_BEFORE(
            WARNING,
            "autovacuum of %s worked within the measurement (on %s): run VACUUM ANALYZE before",
            "server, tables",
            "It is not part of this load.",
            "Run `VACUUM ANALYZE` before."),

    // Tables

    WRITES_NOT_CHECKED(
            WARNING, "%s", "why", "Lost writes would not be noticed.", "See [write checks](write-checks.md)."),
    CHECK_FAILED(
            NOT_VALID,
            "%s",
            "finding",
            "The tables are not as the acknowledged writes say.",
            "See [write checks](write-checks.md)."),
    TABLES_NOT_CHECKED(
            NOT_VALID,
            "the tables were still being reset, and could not be checked",
            "",
            "Lost writes would not be noticed.",
            "Run again."),
    TABLE_GREW(
            WARNING,
            "%s has %,d more rows than before the run, which inserted none into it: other sessions did, or ids are in it twice (on"
                    + " Postgres-XL, see docs/clusters.md)",
            "table, added",
            "Other sessions write, or the cluster doubles rows.",
            "Find out who inserts; on Postgres-XL see [clusters](clusters.md)."),

    // Several hosts

    HOST_LOST(
            NOT_VALID,
            "%s was lost %s%s: %s",
            "host, when, why, missing",
            "Its part of the load is missing.",
            "Read the agent's log; see [fleet](fleet.md)."),
    HOST_LOST_AS_TOLERATED(
            WARNING,
            "%s was lost %s%s: %s; --tolerate-lost %d permits it",
            "host, when, why, missing, tolerated",
            "Its part of the load is missing.",
            "Read the agent's log; see [fleet](fleet.md)."),
    HOST_DIFFERS(
            WARNING,
            "%s %s: %s: %s",
            "host, how, figures, advice",
            "The figures are those of unequal hosts.",
            "Give it fewer clients or more cores, or look at its network and at what else runs on it."),
    HOST_NOT_VALID(
            NOT_VALID,
            "%s: its part is not valid",
            "host",
            "A part of the figures may not be used.",
            "Read the host's own remarks."),
    HOST_MESSAGES_MISSING(
            NOT_VALID,
            "%,d messages with its records did not arrive",
            "messages",
            "Operations of this host are missing in the sums.",
            "Look at the network between the hosts."),
    HOST_MEASURED_OTHERWISE(
            NOT_VALID,
            "it measured %.2f s, the run %.2f s: the end of the measurement reached it late, or it ended earlier",
            "measuredSeconds, runSeconds",
            "Its figures are of another window.",
            "Look at the network between the hosts."),
    HOST_GONE(NOT_VALID, "%s", "why", "Its part of the load is missing.", "Read the agent's log."),
    HOST_DID_NOT_SEND(
            NOT_VALID,
            "%,d operations were not sent",
            "operations",
            "Arrivals of this host are missing.",
            "Read the agent's log."),
    CLOCK_UNSURE(
            WARNING,
            "the clock of %s is known only to within %.3f s, more than a tenth of an interval of %.3f s: sums of intervals combine"
                    + " different times; use a longer --interval, or hosts with a shorter round trip",
            "hosts, boundSeconds, intervalSeconds",
            "Intervals of the hosts do not cover the same time.",
            "Use a longer `--interval`, or hosts with a shorter round trip."),
    CLOCK_UNKNOWN(
            NOT_VALID,
            "the clock of %s is known only to within %.3f s, more than half of an interval of %.3f s: sums of intervals combine"
                    + " different times; use a longer --interval, or hosts with a shorter round trip",
            "hosts, boundSeconds, intervalSeconds",
            "Intervals of the hosts do not cover the same time.",
            "Use a longer `--interval`, or hosts with a shorter round trip."),
    INSECURE_FLEET(
            WARNING,
            "--insecure: the hosts' messages were neither encrypted nor authenticated",
            "",
            "Others in the network can read and change them.",
            "Use `stress agent keys`."),
    MERGED_APART(
            WARNING,
            "the runs started %.1f s apart: the sums combine intervals of different times",
            "seconds",
            "Sums of intervals combine different times.",
            "Start the runs at the same time, or use [a fleet](fleet.md)."),
    MERGED_WITHOUT_TIMES(
            WARNING,
            "some intervals have no histograms, so merged intervals have no times",
            "",
            "There are no times by interval.",
            "Merge results that have all their intervals."),

    // Comparisons and searches

    VARIANT_CLIENT_CPU(
            NOT_VALID,
            "the client ran out of CPU: with %s it used %.2f of %.0f cores on average, so the ratio may reflect the client's limit; run"
                    + " it on a larger or separate machine",
            "variant, cores, cpus",
            "The ratio may be that of the client.",
            "Run the client on a larger or separate machine."),
    FEW_OPERATIONS_PER_BLOCK(
            WARNING,
            "clients ran few operations per block, so the rate is the number of clients divided by the mean time; use longer blocks"
                    + " (--duration)",
            "",
            "The rate is less exact.",
            "Use longer blocks (`--duration`)."),
    SERVERS_DIFFER(
            WARNING,
            "the servers differ in %s: %s; they do not do the same work for a commit",
            "setting, values",
            "The ratio contains the difference of the setting.",
            "Use the same value on all servers."),
    LIMIT_NOT_CHECKED(
            WARNING,
            "--fail-if %s could not be checked for %s: too few operations or rounds",
            "limit, variant",
            "The limit was not applied.",
            "Use more rounds or longer blocks."),
    EARLIER_RESULT(
            WARNING,
            "compared with an earlier result, not interleaved with it: the difference includes everything else that changed since"
                    + " (data, caches, other load, the machine), and the intervals do not cover that",
            "",
            "The difference may have other causes.",
            "Compare both in one run, if you can."),
    EARLIER_CIRCUMSTANCES(
            WARNING,
            "not the circumstances of the earlier result: %s",
            "differences",
            "The difference may come from these.",
            "Restore the circumstances, or compare both in one run."),
    EARLIER_CLIENTS(
            WARNING,
            "the number of clients differs (earlier result: %,d, %s: %,d), which may explain the difference",
            "earlier, variant, clients",
            "The difference may come from this.",
            "Use the same number of clients."),
    KNEE_NOT_REACHED(
            WARNING,
            "the knee was not reached",
            "",
            "Throughput may still rise with more clients.",
            "Use a higher limit of clients."),
    KNEE_NOT_DETERMINED(
            WARNING,
            "the knee is not determined",
            "",
            "The number of clients lies in the stated range.",
            "Allow more repetitions.");

    /** What a remark does to the validity of a result. */
    public enum Severity {
        /** The figures may not be used. */
        NOT_VALID,
        /** The figures may be used with regard to this. */
        WARNING
    }

    private final Severity severity;
    private final String template;
    private final String names;
    private final String consequence;
    private final String action;

    RemarkCode(Severity severity, String template, String names, String consequence, String action) {
        this.severity = severity;
        this.template = template;
        this.names = names;
        this.consequence = consequence;
        this.action = action;
    }

    public Severity severity() {
        return severity;
    }

    /** The sentence as a format whose arguments are the figures. */
    public String template() {
        return template;
    }

    /** The names of the figures, in the order of the sentence. Units are part of the names. */
    public List<String> figures() {
        return names.isEmpty() ? List.of() : List.of(names.split(", "));
    }

    /** What follows for the reader of the result. */
    public String consequence() {
        return consequence;
    }

    /** What to do about it; may contain links of {@code docs/measurement.md}. */
    public String action() {
        return action;
    }
}
