package io.pgstress.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All remarks that a result can have. Each has its severity (a warning its {@link Harm} instead), the cause, the consequence for the
 * reader, and what to do; reports print these three one after the other. The consequence or the action is empty where it is obvious. {@link RemarkText} describes how figures stand in them.
 * Links are relative to the folder of the documentation. Codes are stable, because programs compare them.
 *
 * <p>To add a remark, add a constant here and use it: {@code RemarkCode.CLIENT_CPU.with("cores", used).with("cpus", all).remark()}. {@code
 * RemarkCodeTest} writes its row into {@code docs/remarks.md}.
 */
public enum RemarkCode {
    // The end of the run

    ENDED_EARLY(
            Severity.NOT_VALID,
            "The run ended early: {why}",
            "The figures cover only what was measured until then.",
            "Remove the cause and run again."),
    STOPPED_EARLY(
            Harm.TIME,
            "The run ended early: {why}",
            "The figures cover only the time that was measured.",
            "Let the run end if you need its whole length."),

    // Outcomes of operations

    NO_SUCCESS(
            Severity.NOT_VALID,
            "No operation succeeded[[, and {failed:,d} failed]][[, most often {sqlstate} ({message})]]",
            "No rate can be given.",
            "Read the errors."),
    NO_SUCCESS_OF_BEGUN(
            Severity.NOT_VALID,
            "No operation that began within the measurement succeeded[[, and {failed:,d} failed]][[, most often {sqlstate} ({message})]]",
            "No rate can be given.",
            "Read the errors."),
    ONLY_MISSES(
            Severity.NOT_VALID,
            "No operation succeeded: {misses:,d} found or changed no row, and {duplicates:,d} hit a duplicate key",
            "No rate can be given.",
            "Check [[`--table` ({table}), ]]what the operations ask for, and whether other sessions change the rows."),
    NO_SUCCESS_OF(
            Severity.NOT_VALID,
            "No {operation} succeeded, and {failed:,d} failed",
            "The load was not the mix that you asked for.",
            "Read its errors."),
    NOTHING_MEASURED(
            Severity.NOT_VALID,
            "The run ended before its measurement began",
            "No rate or latency can be given.",
            "Let the run end, or use a shorter `--warmup`."),
    NONE_ENDED(
            Severity.NOT_VALID,
            "No operation started and finished within the measurement",
            "The rate or the latency is unknown.",
            "Use a longer `--duration`."),
    TOO_MANY_FAILED(
            Severity.NOT_VALID,
            "{failed:,d} of {ended:,d} operations failed ({percent:.2f}%, limit {limit})[[, most often {sqlstate} ({message})]]",
            "The load was not the one that you asked for.",
            "Remove the cause of the errors, or raise `--max-error-rate`."),
    FAILED(
            Harm.LOAD,
            "{failed:,d} of {ended:,d} operations failed ({percent:.2f}%)[[, most often {sqlstate} ({message})]]",
            "Rates and latencies exclude failed operations.",
            "Read the errors."),
    MISSES(
            Harm.LOAD,
            "{percent:.1f}% of {operation} operations found or changed no row[[, only on {servers}]]",
            "Rates exclude misses.",
            "If you did not expect them, check [[whether the rows of the first `--url`, from which ids are read, are on {lacking}, ]][[`--table` ({table}), ]]what the operation asks for, and whether other sessions delete the rows or a trigger discards them."),
    DUPLICATES(
            Harm.LOAD,
            "{percent:.1f}% of {operation} operations hit a duplicate key",
            "Rates exclude duplicates.",
            "Use another copy table or another `--seed`."),
    TOO_MANY_MISSES(
            Severity.NOT_VALID,
            "{percent:.1f}% of {operation} operations found or changed no row or hit a duplicate key (limit {limit}; misses: {misses:,d}, duplicates: {duplicates:,d}[[; only on {servers}]])",
            "The load was not the one that you asked for.",
            "Check [[whether the rows of the first `--url`, from which ids are read, are on {lacking}, ]][[`--table` ({table}), its copy table if the operation uses one, ]]what the operation asks for, and whether other sessions change the rows; or raise `--max-miss-rate`."),
    BELOW_TARGET(
            Severity.NOT_VALID,
            "{lost:,d} of {ended:,d} operations ({percent:.1f}%) failed or found nothing, and the others did not reach the target rate",
            "The load was not the one that you asked for.",
            "Remove the cause of the errors and misses."),
    UNFINISHED(
            Harm.LOAD,
            "{unfinished:,d} operations had not finished at the end of the drain",
            "Their latencies are lower bounds.",
            "Use a longer `--drain`."),
    P99_IS_LOWER_BOUND(
            Severity.NOT_VALID,
            "{unfinished:,d} operations ({percent:.1f}%) had not finished at the end of the drain",
            "The mean and the percentiles are only lower bounds.",
            "Use a longer `--drain`."),
    HUNG_CLIENTS(
            Severity.NOT_VALID,
            "{clients:,d} clients took no part in the measurement because their earlier operations never finished (waiting for: {waiting:,d})",
            "Fewer clients than requested produced the load.",
            "Look for locks in `pg_stat_activity`. If the clients' sessions are idle there, the fault is on the client's side."),

    OPEN_LOCKS(
            Harm.LOAD,
            "{sessions:,d} sessions on {server} waited for locks when the drain ended ({lock})[[, one of them in: {waiting}]][[. The lock was held by {holder}]][[ '{gid}', prepared at {since}]][[, in: {holding}]]",
            "The operations that had not finished can wait there for ever.",
            "End the {kind} that holds the lock[[: {end}]]. Sessions of a cluster that wait for each other on several nodes are a deadlock that no node sees; `--statement-timeout` ends it."),

    // Availability

    SERVER_UNAVAILABLE(
            Severity.NOT_VALID,
            "{server} could not be used from {fromSeconds:.3f} s to {toSeconds:.3f} s[[ in {periods:,d} periods, {seconds:.1f} s in all]] ({evidence})[[, although health checks were answered again at {answeredAtSeconds:.1f} s]]",
            "The rate includes the downtime.",
            "Read the server's log."),
    CONNECTIONS_BROKE(
            Harm.LOAD,
            "Connections to {server} were lost, and no operation succeeded from {fromSeconds:.3f} s to {toSeconds:.3f} s[[ in {periods:,d} periods, {seconds:.1f} s in all]] ({evidence}); the server answered its checks before and after",
            "The rate includes the time until clients were connected again.",
            "First [[see what the operations waited for: the client itself closes a connection after its socketTimeout of {socketTimeoutSeconds:,d} s. Then ]]read the server's log for a restart or terminated sessions, and check what lies between client and server (a proxy, a firewall)."),
    REMOTE_SERVER_LOST(
            Harm.LOAD,
            "{coordinator} lost its connections to {server}, and no operation succeeded from {fromSeconds:.3f} s to {toSeconds:.3f} s[[ in {periods:,d} periods, {seconds:.1f} s in all]] ({evidence}); the clients' sessions stayed open",
            "The rate includes the time until it was connected again.",
            "Read that server's log for a crash or a restart."),
    FAILOVER(
            Severity.NOT_VALID,
            "Sessions failed over from {server} to {successor}, and no operation succeeded from {fromSeconds:.3f} s to {toSeconds:.3f} s[[ in {periods:,d} periods, {seconds:.1f} s in all]] ({evidence})",
            "The rate includes the failover and two servers.",
            "Read the logs of both servers."),
    SERVER_SILENT(
            Severity.NOT_VALID,
            "{server} did not answer health checks between {fromSeconds:.1f} s and {to}",
            "The server or the network to it stopped for a time.",
            "Read the server's log."),
    SERVER_SILENT_AFTERWARDS(
            Harm.SURROUNDINGS,
            "{server} did not answer health checks between {fromSeconds:.1f} s and {to}",
            "The measurement was over, but counters of that server may be missing.",
            "Read the server's log."),
    CHECKS_UNANSWERED(
            Harm.SURROUNDINGS,
            "{server} did not answer health checks between {fromSeconds:.1f} s and {to}, although operations on it continued",
            "Only the control connection was lost.",
            "Ignore this unless it happens again."),
    CHECKS_AND_SESSIONS_LOST(
            Harm.LOAD,
            "{server} did not answer health checks between {fromSeconds:.1f} s and {to}, and sessions of the load broke ({states}); operations continued with new ones",
            "A server that crashes or restarts, or an administrator, ends sessions in this way.",
            "Read the server's log."),
    ALL_SERVERS_SILENT(
            Harm.LOAD,
            "All {servers:d} servers of the cluster were silent at once, at about {atSeconds:.0f} s[[ ({hint})]]",
            "They share the cause.",
            "Look at the network and the machines that they share."),
    OUTAGE(
            Harm.LOAD,
            "No operation succeeded[[ on {node}]] from {fromSeconds:.3f} s to {toSeconds:.3f} s ({seconds:.3f} s[[, {wait}]])",
            "",
            "Look for errors, misses, checkpoints, locks and failovers at that time."),
    OUTAGES(
            Harm.LOAD,
            "No operation succeeded[[ on {node}]] in {periods:,d} periods, {seconds:.1f} s in all; the longest lasted from {fromSeconds:.3f} s to {toSeconds:.3f} s[[ ({wait})]]",
            "",
            "Look for errors, misses, checkpoints, locks and failovers then (`outages` in the JSON file)."),
    MOSTLY_IDLE(
            Severity.NOT_VALID,
            "For {percent:.0f}% of the measurement, no operation succeeded[[ ({cause})]]",
            "The rate averages normal operation and downtime.",
            "Remove the cause of the outage."),
    LOCK_WAITS(
            Harm.STALLS,
            "Sessions waited for locks {percent:.0f}% of the time (mostly {lock})",
            "Other operations or sessions held the locks, and latencies include the waits.",
            "Find the blocking session. If operations of the run block each other, use a larger table, or fewer clients if the lock is `Lock:extend`."),
    STALL(
            Harm.STALLS,
            "The slowest {operation} took {seconds:.2f} s, {times:.0f} times its p99",
            "In a closed loop, a stall shows only once per client.",
            "Look for its cause, and use `--rate` to see what users would feel."),
    LONG_OPERATION(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and its cause is unknown (not garbage collection, CPU steal or a stalled client)[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Read the server's log at that time."),
    LONG_OPERATION_COLLECTOR(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and garbage collection paused the client for {causeSeconds:.3f} s of that time[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Give the JVM more memory (`STRESS_JAVA_OPTS=-Xmx2g`)."),
    LONG_OPERATION_STEAL(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and other virtual machines on the client's host took {causeSeconds:.3f} s of that time from the client (steal)[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Use a client machine that has its CPU for itself."),
    LONG_OPERATION_WAIT(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and {wait} took about {causeSeconds:.3f} s of that time[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Look up the wait event, and read the server's log at that time."),
    LONG_OPERATION_CLIENT(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and the client's own threads stalled for {causeSeconds:.3f} s of that time[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Run nothing else on the client's machine, or use a larger one."),
    LONG_OPERATION_SERVER(
            Harm.STALLS,
            "An operation[[, the slowest of {operations:,d} at that time,]] took {seconds:.3f} s, from {fromSeconds:.3f} s to {toSeconds:.3f} s, and {server} left its checks unanswered for {causeSeconds:.3f} s of that time, so it or the network stalled[[. Others took {others}]]",
            "Such operations raise the maximum and the high percentiles.",
            "Read the server's log at that time."),

    // The slowest operations

    SLOW_ON_LOCKS(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "They waited for locks that other sessions held.",
            "Shorten the transactions of the blocking session, or run its statement at another time; CREATE INDEX and REINDEX have CONCURRENTLY. For row locks within the run, use a larger table."),
    SLOW_ON_IO(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "They waited until the server had read or written a file, or for another session that did so.",
            "Look at the server's disks and CPU in the table of machines, and at checkpoints at that time."),
    SLOW_ON_CPU(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "They ran longer, or waited for a core of the server.",
            "Look for rows that cost more than others, and at the CPU of the server."),
    SLOW_ON_CLIENT(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "The server waited for the client or the network.",
            "Look at the client's own waiting, and at the network."),
    SLOW_ON_CONNECTIONS(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "They waited for a connection of the pool.",
            "If there are fewer connections than clients, use a larger `--pool-size`; otherwise look at what the pool does before it hands one out."),
    SLOW_ON_WAITS(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} ({operations:,d} operations, {millis:.2f} ms on average) spent {slow}; its ordinary operations (p25 to p75, {usualMillis:.2f} ms) spent {usual}",
            "They waited within the server.",
            "Look up the wait event in the PostgreSQL manual."),
    SLOW_DURING(
            Severity.CAUSE,
            "Beyond its p99[[ of {time}]], {operation} spent {percent:.0f}% [{low:.0f}, {high:.0f}] of its time while the server did this: {what} (from {periods}); its ordinary operations (p25 to p75) spent {usualPercent:.0f}%",
            "Both happened at the same time.",
            "Measure for longer, so that the share of such times is typical."),
    SLOW_UNEXPLAINED(
            Severity.NOTE,
            "Beyond the p99[[ of {time}]], operations ({sampled:,d} were sampled) waited for nothing that stands out",
            "No wait takes clearly more of their time than of that of ordinary ones.",
            "See the chart of what slow and ordinary operations spent their time on; a longer run has more samples."),

    // The load

    OVERLOAD(
            Severity.NOT_VALID,
            "Overload: {served:,.1f} of {due:,.1f} operations per second were executed, and {backlog:,d} operations that were due had not started at the end",
            "Response times keep growing for as long as the run lasts.",
            "Use a lower `--rate` or more clients."),
    OVERLOAD_IN_FIRST_STEP(
            Severity.NOT_VALID,
            "Overload: {served:,.1f} operations per second were served at the first rate, {target:,.1f}, and {backlog:,d} that were due had not started at its end",
            "The following steps began with the backlog, and no sustained rate was found.",
            "Begin with a lower rate."),
    OVERLOAD_IN_STEPS(
            Harm.LOAD,
            "Overload: the server kept up at a target of {sustained:,.1f} operations per second, but served {served:,.1f} at the next one, {next:,.1f}",
            "These clients and this server do not do that rate, and the times of later steps include what was left over.",
            "See the table of steps."),
    BEHIND_AFTER_OUTAGE(
            Severity.NOT_VALID,
            "{served:,.1f} of {due:,.1f} operations per second were executed, and {backlog:,d} that were due had not started at the end: {dueInOutage:,d} were due while nothing was served for {outageSeconds:.3f} s",
            "The rate averages normal operation and downtime.",
            "Find the cause of the outage[[, or measure for longer after its end at {endSeconds:.3f} s]]."),
    IN_FLIGHT(
            Harm.TIME,
            "{ended:,d} of the {due:,d} operations that were due ended within the measurement, and the others were in flight at its end",
            "The rate is below the target only because the measurement is short.",
            "Use a longer `--duration`."),
    STALLED_AT_END(
            Harm.TIME,
            "{ended:,d} of the {due:,d} operations that were due ended within the measurement: nothing was served in its last {seconds:.3f} s",
            "The rate is below the target because of this stall.",
            "Find its cause, or measure for longer after it."),
    IDS_USED_UP_OFTEN(
            Harm.LOAD,
            "The ids ran out every {operations:,d} operations, and {clients:,d} clients had to wait for each other",
            "The load paused often.",
            "Use a larger table."),
    WARMUP_CUT(
            Harm.TIME,
            "The warm-up ended at its limit: {missing} after {seconds:.1f} s",
            "The figures may include some of the warm-up.",
            "Use a higher `--warmup-limit`."),
    UNSTEADY(
            Harm.TIME,
            "Throughput changed from {first:,.1f} ops/s in the first third of the measurement to [[{middle:,.1f} ops/s in the middle third and ]]{last:,.1f} ops/s in the last",
            "Throughput was not steady, and the rate depends on when you measure.",
            "Use a longer `--warmup` and `--duration`."),
    NOT_STEADY(
            Severity.NOT_VALID,
            "Throughput changed from {first:,.1f} ops/s in the first third of the measurement to [[{middle:,.1f} ops/s in the middle third and ]]{last:,.1f} ops/s in the last",
            "Throughput was not steady, and the rate depends on when you measure.",
            "Find what changed meanwhile, or use a longer warm-up (`--warmup`, `--warmup-limit`) and `--duration`."),
    RATE_VARIES(
            Harm.TIME,
            "Throughput varied from interval to interval, from {low:,.1f} to {high:,.1f} ops/s, so that its mean is known only to about {percent:.0f}%",
            "Another measurement of this length may give another rate.",
            "Measure for longer, and look for what makes it slow at times."),
    FEW_INTERVALS(
            Harm.TIME,
            "The measurement has only {intervals:d} intervals[[ outside of outages (of {measured:d})]][[, and throughput was {first:,.1f} ops/s in its first third and {last:,.1f} ops/s in its last]]",
            "That is too few to tell a trend from chance.",
            "Use a longer `--duration` or a shorter `--interval`."),
    SHORT_WINDOW(
            Harm.TIME,
            "The measurement of {measured} holds {only} {operationsPerClient:.1f} operations per client, which take {mean} each",
            "The rate depends on when the measurement begins and ends.",
            "Use a `--duration` of at least {enough}."),
    RATE_OF_WINDOW(
            Severity.NOT_VALID,
            "The measurement is too short for this rate: {clients:,d} clients whose operations take {mean} cannot complete more than {possible:,.1f} per second, but {ended:,.1f} per second finished",
            "The rate is higher than these clients can sustain.",
            "Use a longer `--duration`[[ of at least {enough}]]."),
    IDLE_CLIENTS(
            Severity.NOT_VALID,
            "Clients spent only {percent:.0f}% of the time in operations (rate times mean latency, by Little's law)",
            "They waited elsewhere, and the load was that of {busyClients:,.1f} clients, not {clients:,d}.",
            "Use a larger client machine."),
    UNEVEN_CLIENTS(
            Harm.SUBJECT,
            "Clients were not served equally[[ on {node}]]: the slowest completed {least:,d} operations, the fastest {most:,d}, and the mean is {mean:,.0f}",
            "Faster clients weigh more in the percentiles.",
            "See [waiting in the client](measurement.md#waiting-in-the-client)."),
    CONNECTION_WAITS(
            Harm.SUBJECT,
            "An average operation waited {waitMillis:.2f} ms of its {meanMillis:.2f} ms ({percent:.0f}%) for a connection of the pool ({connections:,d} connections for {clients:,d} clients)",
            "Latencies include waiting for a connection, and the pool limits concurrency to {connections:,d}.",
            "Set `--pool-size` to what you want to measure, or use as many connections as clients."),

    // The client

    OTHERS_FILLED_MACHINE(
            Harm.SUBJECT,
            "The CPU of {machine} was full, and processes that are neither the server nor the client used {percent:.0f}% of it",
            "Rates and latencies depend on them.",
            "Stop them, or move them to another machine."),
    OTHERS_STARVED_CLIENT(
            Severity.NOT_VALID,
            "The CPU of {machine} was full, and processes that are neither the server nor the client used {percent:.0f}% of it; an average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms for CPU time in the client",
            "The figures reflect these processes, not the server.",
            "Stop them, or move them to another machine."),
    OTHERS_FILLED_SEARCH(
            Severity.NOT_VALID,
            "Processes that are neither the client nor an observed server filled a machine in {trials:,d} of the {of:,d} trials that decided",
            "The rate may reflect these processes, not the server.",
            "Stop them, or move them to another machine. If the server is one of them, use a role with `pg_read_server_files`."),
    SHARED_HOST(
            Harm.SURROUNDINGS,
            "Client and server share a machine",
            "They compete for its CPU, so the server's own limit may be higher.",
            "Use a separate client machine."),
    SHARED_HOST_FULL(
            Harm.SUBJECT,
            "Client and server share a machine whose CPU was full (idle less than 5% of the time)",
            "They compete for its CPU, so this is not the server's limit.",
            "Use a separate client machine."),
    SHARED_HOST_WAITS(
            Harm.SUBJECT,
            "Client and server share a machine whose CPU was full, and an average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms ({percent:.0f}%) for CPU time in the client",
            "The figures describe client and server together, not the server.",
            "Use a separate client machine."),
    CLIENT_CPU(
            Harm.SUBJECT,
            "The client used {cores:.2f} of {cpus:d} cores",
            "The client may be the limit.",
            "Use a larger client machine, or [several](reports.md#several-hosts)."),
    GENERATOR_CEILING(
            Harm.SUBJECT,
            "The load generator was at {percent:.0f%%} of its ceiling ({rate:,.0f} of {ceiling:,.0f} ops/s, as `stress baseline` measured)",
            "The client may be the limit.",
            "Use a larger client machine, or [several](reports.md#several-hosts)."),
    CEILING_FAR(
            Severity.NOT_VALID,
            "The clients used only {percent:.0f%%} of their cores ({rate:,.0f} ops/s, and {ceiling:,.0f} if they used all)",
            "Something else limited them, and an operation may need other CPU time when all cores are busy.",
            "Run nothing else on their machine, and use more clients."),
    CLIENT_HOST_FULL(
            Harm.SUBJECT,
            "The CPU of the client's machine was full (idle less than 5% of the time)",
            "The client may be the limit.",
            "Use a larger client machine, and run nothing else on it."),
    CLIENT_HOST_FILLED(
            Harm.SUBJECT,
            "The CPU of the client's machine was full, and processes other than the client used {percent:.0f}% of it",
            "Rates and latencies depend on them.",
            "Stop them. If the server is one of them, use a separate client machine."),
    CLIENT_COLLECTOR(
            Harm.SUBJECT,
            "Garbage collection paused the client for {percent:.1f}% of the time",
            "Latencies include the pauses.",
            "Give the JVM more memory (`STRESS_JAVA_OPTS=-Xmx2g`)."),
    CLIENT_COMPILER(
            Harm.SUBJECT,
            "The load generator was still warming up (JIT compilation took {compilerSeconds:.2f} s of its {clientSeconds:.2f} s of CPU time)",
            "Its first operations may have been slower than the others.",
            "Use a longer `--warmup`[[, or JDK {jdk} or newer with the start-up cache (docs/dev/start-up-cache.md)]]."),
    CLIENT_WAITS(
            Harm.SUBJECT,
            "An average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms ({percent:.0f}%) for CPU time in the client",
            "Latencies include this delay in the client.",
            "Run nothing else on the client's machine, use more cores for the client, or fewer clients per core. See [waiting in the client](measurement.md#waiting-in-the-client)."),
    CLIENT_WAKES(
            Harm.SUBJECT,
            "An average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms ({percent:.0f}%) in the client until its thread was woken, although its CPUs were mostly idle",
            "Latencies include this delay, which is the machine's and not the server's.",
            "Use a machine that does not save power, and no virtual one; a higher load shortens the delay."),
    CLIENT_THROTTLED(
            Harm.SUBJECT,
            "The CPU quota of the client ({cores:.2f} cores) was used up {percent:.0f}% of the time[[, and an average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms in the client]]",
            "Its threads stopped until the quota's next period, so the figures are those of the quota.",
            "Raise the quota (`cpu.max`, or the CPU limit of the container), or run the client without one."),
    CLIENT_STARVED(
            Severity.NOT_VALID,
            "An average operation waited {ownMillis:.2f} ms of its {meanMillis:.2f} ms ({percent:.0f}%) for CPU time in the client",
            "The figures reflect the client, not the server.",
            "If the JVM was still compiling, use a longer `--warmup`. Otherwise, run nothing else on the client's machine, use more cores for the client, or fewer clients per core. See [waiting in the client](measurement.md#waiting-in-the-client)."),
    CLIENT_STOOD_STILL(
            Harm.SUBJECT,
            "The client's process was frozen for {seconds:.3f} s in total (longest {longest:.3f} s, from {fromSeconds:.3f} s on)",
            "It was stopped or got no CPU, and operations that were in progress then lasted longer or failed[[; the rate includes the stop, and is {percent:.0f}% lower than without it]].",
            "Find out what stopped the process, and run again."),
    CLIENT_STOOD_STILL_LONG(
            Severity.NOT_VALID,
            "The client's process was frozen for {seconds:.3f} s in total, {percent:.0f}% of the measurement (longest {longest:.3f} s, from {fromSeconds:.3f} s on)",
            "It was stopped or got no CPU, and the load was interrupted.",
            "Find out what stopped the process, and run again."),
    LATE_READINGS(
            Severity.NOT_VALID,
            "CPU and network figures cover {readSeconds:.1f} s, not the {measuredSeconds:.1f} s of the measurement, because the run's own thread was delayed",
            "They cover a different period from the rate.",
            "Use a larger client machine."),
    WALL_CLOCK(
            Harm.SURROUNDINGS,
            "The wall clock of the client's machine moved by {seconds:.1f} s against its monotonic clock",
            "It was set, or the machine was paused and latencies include the pause.",
            "Look for a suspended machine or a clock that was set."),
    OPEN_FILES(
            Harm.SURROUNDINGS,
            "The client may open {limit:,d} files and sockets, but it runs {clients:,d} clients",
            "Clients may fail to connect.",
            "Raise the limit (`ulimit -n`)."),

    // Machines and servers

    HUGE_PAGES(
            Harm.SURROUNDINGS,
            "Transparent huge pages are on for all memory of {machine}",
            "The server may stall.",
            "Set `/sys/kernel/mm/transparent_hugepage/enabled` to `madvise`."),
    SINGLE_RECEIVE_QUEUE(
            Harm.SURROUNDINGS,
            "A network card of {machine} has a single receive queue, so one of {cpus:d} CPUs handles all its interrupts",
            "That CPU can be the limit while the others are idle.",
            "Distribute the work with `rps_cpus`."),
    FEW_CONNECTIONS(
            Harm.SURROUNDINGS,
            "{server} accepts {limit:,d} connections (max_connections), fewer than the {needed:,d} that the run needs[[: {own:,d} for its clients, and one for each of the {others:,d} sessions on other nodes]]",
            "Statements may wait for connections between the servers, or fail.",
            "Raise `max_connections`, or use fewer clients."),
    FEW_PREPARED(
            Harm.SURROUNDINGS,
            "{server} allows {limit:,d} prepared transactions (max_prepared_transactions), and {sessions:,d} sessions write",
            "Commits in two phases fail when more are under way at once.",
            "Raise `max_prepared_transactions`, or use fewer clients."),
    GTM_SHARED(
            Harm.SURROUNDINGS,
            "{sessions:,d} sessions on {hosts} use one GTM or GTM proxy of Postgres-XL, {address}",
            "Without proxies, the GTM has a thread for each session, and accepts 1024 unless it was built for more (\"too many threads active\").",
            "Start a GTM proxy on each host."),
    SHARED_SESSIONS(
            Harm.SUBJECT,
            "{url} is behind a transaction pooler, so connections have no server session of their own",
            "Settings, plans and waits may be those of other clients, and waits for a server session count as the server's time.",
            "Connect to the server itself to see its figures."),
    SEVERAL_SERVERS(
            Harm.SUBJECT,
            "{url} leads to several servers ({servers}), and not all of them can be reached individually",
            "Counters and checks are those of the server that a control connection reached.",
            "List the servers with `--hosts`."),
    SOCKET_TIMEOUT(
            Harm.SURROUNDINGS,
            "{url} has socketTimeout={seconds:,d}",
            "The client closes a connection whose answer takes longer, but the server goes on with the statement.",
            "Use `--statement-timeout` to end such statements in the server."),
    SETTINGS_BY_SQL(
            Harm.SURROUNDINGS,
            "{url} is behind a pooler that refuses startup options, so pgstress set {settings} by SQL after connecting",
            "The settings hold only in sessions that keep them.",
            "Allow the startup options in the pooler (`ignore_startup_parameters` would only drop them)."),
    POSTGRES_XL_LOSES_INSERTS(
            Harm.WRITES,
            "Postgres-XL with persistent_datanode_connections = on acknowledges inserts by prepared and extended statements and loses them",
            "",
            "Use `--statement plain` or `--transaction`, or turn the setting off."),
    POSTGRES_XL_PANICS(
            Harm.WRITES,
            "Prepared inserts in transactions make the servers of Postgres-XL panic",
            "They restart and leave prepared transactions behind.",
            "Use `--statement plain` or `extended`, or omit `--transaction`."),
    POSTGRES_XL_KEEPS_OLD_ROWS(
            Harm.WRITES,
            "Postgres-XL with global_snapshot_source = coordinator can keep the old version of a row that several coordinators update",
            "Ids can then be in the table twice.",
            "Use one coordinator, or `global_snapshot_source = gtm`."),
    GREENPLUM_LOCKS_TABLES(
            Harm.LOAD,
            "With gp_enable_global_deadlock_detector = off, UPDATE and DELETE of Greenplum lock the whole table",
            "Those of different clients run one after another.",
            "Set it to `on` in the server's configuration and restart, or read the rate as that of one client."),
    CHECKPOINT(
            Harm.TIME,
            "Checkpoints of {server} that began during the measurement: {checkpoints:,d}",
            "Part of the measurement may be slower than the rest.",
            "Run `CHECKPOINT` before, or measure for several times `checkpoint_timeout`."),
    AUTOVACUUM(
            Harm.TIME,
            "Autovacuum ran on {server} during the measurement ({tables})",
            "It is part of this load if the load writes, and may have slowed part of the measurement.",
            "Measure for longer."),
    AUTOVACUUM_FROM_BEFORE(
            Harm.TIME,
            "Autovacuum ran on {server} during the measurement ({tables})",
            "It had begun before the run and is not part of this load.",
            "Run `VACUUM ANALYZE` before."),

    // The bottleneck

    CPU_OF_SHARED_MACHINE(
            Severity.CAUSE,
            "CPU of {machine}, {percent:.0f%%} busy: {shares:.0f%%}",
            "Those who share it slow each other down.",
            "Move the client to a machine of its own, then look again."),
    CPU_OF_MACHINE(
            Severity.CAUSE,
            "CPU of {machine}, {percent:.0f%%} busy: {kinds:.0f%%}",
            "More load makes operations slower, not more.",
            "If it is the client's, use a larger or further client machine; if it is a server's, this is its limit."),
    DISK_OF_MACHINE(
            Severity.CAUSE,
            "Disk {disk} of {machine}, {percent:.0f%%} busy: {readsPerSecond:,.0f} reads/s, {writesPerSecond:,.0f} writes/s",
            "Statements wait for the disk.",
            "Use a faster disk, or more memory if it mostly reads."),
    CPU_OF_INTERRUPTS(
            Severity.CAUSE,
            "CPU {cpu:d} of {machine}, {percent:.0f%%} busy, handled {sharePercent:.0f%%} of the network interrupts and spent {interruptsPercent:.0f%%} of the time on interrupts",
            "It is the limit although other CPUs are idle.",
            "Distribute the interrupts with `rps_cpus` or more queues."),
    CPU_STOLEN(
            Severity.CAUSE,
            "Other virtual machines took {percent:.0f%%} of the CPU time of {machine}",
            "The figures depend on what the neighbours do.",
            "Use a machine with CPUs of its own."),
    CPU_QUOTA_USED_UP(
            Severity.CAUSE,
            "The CPU quota of {node} ({cores:.2f} cores) was used up {percent:.0f%%} of the time",
            "Its processes waited for the next period although the machine may have been idle.",
            "Raise the quota (`cpu.max`, or the CPU limit of the container), or give the machine to it."),
    MEMORY_LIMIT_REACHED(
            Severity.CAUSE,
            "The memory limit of {node} ({megabytes:,.0f} MB) was reached, and {rereads:,.0f} evicted pages per second were read again",
            "Its processes waited for memory that the machine may have had.",
            "Raise the limit (`memory.max`, or the memory limit of the container), or use less memory."),
    NO_MACHINE_FULL(
            Severity.NOTE,
            "No machine was full",
            "The limit is the number of clients, the network's round trips, locks, or the rate.",
            "Use more clients or a higher rate to find the limit."),
    ONE_CPU_FULL(
            Severity.NOTE,
            "No observed machine was full, but one of the [[{cpus:d} ]]CPUs of {machine} was {percent:.0f%%} busy",
            "A single session, or a process that may use no other CPU, can have its limit there.",
            "Look at what used this CPU (`mpstat -P ALL`, `taskset -p`)."),
    NO_OBSERVED_MACHINE_FULL(
            Severity.NOTE,
            "None of the observed machines was full",
            "The limit may be a machine that was not observed.",
            "Observe the others with `--watch-host`."),
    MACHINES_NOT_OBSERVED(
            Severity.NOTE,
            "Not observed: {machines}",
            "These may have been the limit.",
            "Use a role with `pg_read_server_files`, or `--watch-host`."),
    CORES_OF_QUOTAS(
            Severity.NOTE,
            "Cores used under CPU quotas: {used:.2f}",
            "A quota that was not used up was not the limit.",
            "Look at whose quota was used up."),
    CPU_OF_SHARED_MACHINE_NOT_FULL(
            Severity.NOTE,
            "CPU of {machine}, {percent:.0f%%} busy: {shares:.0f%%}",
            "It was not the limit.",
            "Look at what was full."),
    CPU_NOT_FULL(Severity.NOTE, "CPU: {busy:.0f%%}", "These were not the limit.", "Look at what was full."),
    GENERATOR_SHARE(
            Severity.NOTE,
            "The load generator was at {percent:.0f%%} of its ceiling",
            "It was not the limit unless this is high.",
            "See [the ceiling of the load generator](measurement.md#the-ceiling-of-the-load-generator)."),
    PAUSES_INCLUDED(
            Severity.NOTE,
            "Pauses of {seconds:.1f} s are included",
            "The machines were idle in the pauses, so they were busier under load than this says.",
            "Use a table with more ids, so that the load pauses less often."),

    // Tables

    WRITES_NOT_CHECKED(
            Harm.WRITES,
            "Not all writes can be checked, those of {operations} to {table}: {why}",
            "Lost writes would go unnoticed.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    ROWS_HIDDEN(
            Harm.WRITES,
            "{operations}: {missing:,d} rows fewer and {surplus:,d} rows more than the acknowledged writes leave are visible in {table}, whose row security policies apply to the role of the run",
            "The policies may hide rows, so lost writes would go unnoticed.",
            "Run as a role that sees all rows: the owner, or one with BYPASSRLS."),
    UNLOGGED_ROWS_LOST(
            Severity.NOT_VALID,
            "{operations}: {missing:,d} rows of acknowledged writes are missing from {table}, which is unlogged",
            "A server empties its unlogged tables when it recovers from a crash, and a standby never has their rows.",
            "Read the server's log for the crash, and use a logged table if rows must survive."),
    INSERTS_MISSING(
            Severity.NOT_VALID,
            "{operations}: {missing:,d} of {inserted:,d} acknowledged inserts are missing from {table}",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    TABLE_CHANGED(
            Severity.NOT_VALID,
            "{operations}: {table} has {missing:,d} rows fewer than the acknowledged writes leave, and {change} during the run",
            "The rows went with that, so lost writes would go unnoticed.",
            "Run again while nobody changes the table."),
    ROWS_MISSING(
            Severity.NOT_VALID,
            "{operations}: {table} has {missing:,d} rows fewer than the acknowledged writes leave (inserts: {inserted:,d}, deletes: {deleted:,d})",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    ROWS_SURPLUS(
            Severity.NOT_VALID,
            "{operations}: {table} has {surplus:,d} rows more than the acknowledged writes leave (inserts: {inserted:,d}, deletes: {deleted:,d})",
            "Rows were written that were not acknowledged to this run, or deleted ones came back.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    ROWS_DIFFER(
            Severity.NOT_VALID,
            "{operations}: {table} has {missing:,d} rows fewer and {surplus:,d} rows more than the acknowledged writes leave (inserts: {inserted:,d}, deletes: {deleted:,d})",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    IDS_DIFFER(
            Severity.NOT_VALID,
            "{operations}: {table} has as many rows as acknowledged, but other ids (sum(_id))",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    UPDATES_NOT_COUNTED(
            Severity.NOT_VALID,
            "{operations} of {table}: {missing:,d} of {updated:,d} acknowledged updates are missing from the server's count (n_tup_upd)",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    UPDATES_MISSING(
            Severity.NOT_VALID,
            "{operations} of {table}: {missing:,d} of {ids:,d} updated ids have no new row version (xmin)[[, and {deleted:,d} rows were deleted meanwhile]]",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the table. See [write checks](measurement.md#checks-of-what-was-written)."),
    WRITES_DISCARDED(
            Severity.NOT_VALID,
            "{operation}: {rows:,d} {kind}s changed no row, although the server reported no error",
            "These operations did no work.",
            "Look for [[another session that deleted rows of {table}, ]]a trigger, a rule or a row security policy."),
    COUNTS_DIFFER(
            Severity.NOT_VALID,
            "{check}: {found:,d} found, {acknowledged:,d} acknowledged[[, in unlogged tables ({unlogged}), which a server empties when it recovers from a crash]]",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the tables. See [write checks](measurement.md#checks-of-what-was-written)."),
    ROWS_DISCARDED(
            Severity.NOT_VALID,
            "{check}: the server discarded {rows:,d} rows without an error",
            "These operations did no work.",
            "Look for a trigger or a rule."),
    BALANCES_DIFFER(
            Severity.NOT_VALID,
            "The sums of the balances did not grow as the history did: {grown:,d}, history {history:,d}[[; unlogged tables ({unlogged}) are emptied when a server recovers from a crash]]",
            "The server lost acknowledged writes, or something else changed what they wrote.",
            "Read the server's log[[ and the code of {attached}]], and look for other sessions that change the tables. See [write checks](measurement.md#checks-of-what-was-written)."),
    COPIES_MISSING(
            Severity.NOT_VALID,
            "The load is incomplete: {missing:,d} of {copies:,d} COPYs are missing",
            "The tables are not as they should be.",
            "Load again[[; {failed:,d} of them began and did not succeed: read the errors]][[; {unbegun:,d} never began: let the load run to its end]]."),
    LOAD_ROWS_MISSING(
            Severity.NOT_VALID,
            "The load is incomplete: the server discarded {missing:,d} of {rows:,d} rows without an error",
            "The tables are not as they should be.",
            "Look for a trigger."),
    INDEXES_MISSING(
            Severity.NOT_VALID,
            "The load is incomplete: {missing:,d} of {tables:,d} tables lack indexes",
            "Creating them failed.",
            "Read the errors."),
    EMPTY_RESULT_USED(
            Severity.NOT_VALID,
            "{error}, {times:,d} times",
            "These operations did only a part of their work.",
            "Define `miss` for the step that finds nothing; in a script, use `\\aset`, or a query that always has a row."),
    PREPARED_LEFT(
            Severity.NOT_VALID,
            "{transactions:,d} prepared transactions held locks (pg_prepared_xacts), such as '{gid}' ({node}) since {since}",
            "The servers left them behind, and other sessions wait for them.",
            "End them by {end}."),
    COPY_TABLE_DIFFERS(
            Harm.SUBJECT,
            "{copy} is not like {table}, which has: {differences}",
            "Writes were measured on {copy}, so that {table} stays as it is. On {table}, they may take longer, or less long.",
            "Drop {copy} if it could be stored like {table}, so that a run creates it anew; policies, triggers, foreign keys and rules have to be added to it."),
    SETTINGS_CHANGED(
            Harm.SUBJECT,
            "Settings of {server} changed during the run: {settings}",
            "The figures average both, and the result has the first values.",
            "Find out who changed them, and run again."),
    PROMOTED(
            Harm.SUBJECT,
            "{server} was promoted during the run",
            "The figures average a standby and a primary.",
            "Run again on either."),
    COPY_TABLE_RESET(
            Severity.NOT_VALID,
            "Another run reset table {table} during this one",
            "The runs disturbed each other.",
            "Run them one after the other, or on different tables."),
    CHECKS_TOO_SLOW(
            Severity.NOT_VALID,
            "The tables could not be checked after the run within {limitSeconds:,d} s",
            "Lost writes would go unnoticed.",
            "Use a smaller table, or a faster server."),
    CHECKS_BLOCKED(
            Severity.NOT_VALID,
            "The tables could not be checked after the run within {limitSeconds:,d} s: the check waited for a lock ({lock})[[, held by {holder}]]",
            "Lost writes would go unnoticed.",
            "End the session that holds the lock, and run again."),
    CHECKS_ABORTED(
            Severity.NOT_VALID,
            "The run was aborted before the tables were checked",
            "Lost writes would go unnoticed.",
            "Run again."),
    CHECKS_WITHOUT_SERVER(
            Severity.NOT_VALID,
            "The tables could not be checked after the run, because a server did not answer",
            "Lost writes would go unnoticed.",
            "Read the server's log."),
    CHECKS_REFUSED(
            Severity.NOT_VALID,
            "The tables could not be checked after the run: {error}",
            "Lost writes would go unnoticed.",
            "Read the error."),
    NOTHING_ACKNOWLEDGED(
            Severity.NOTE,
            "{operations}: no write to {table} was acknowledged, and none was found",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    INSERTS_FOUND(
            Severity.NOTE,
            "{operations}: all {inserted:,d} acknowledged inserts are in {table} by {by}",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    DELETED_ROWS_GONE(
            Severity.NOTE,
            "{operations}: all {deleted:,d} deleted rows are gone from {table} by {by}",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    ROWS_AGREE(
            Severity.NOTE,
            "{operations}: {table} has the rows that {inserted:,d} acknowledged inserts and {deleted:,d} acknowledged deletes leave by {by}",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    OTHERS_WROTE(
            Severity.NOTE,
            "{operations}: something else changed {rows:,d} rows of {table} too",
            "This may hide losses.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    OUTCOMES_UNKNOWN(
            Severity.NOTE,
            "{check}: the outcome of at most {rows:,d} rows is unknown",
            "They count as neither lost nor written.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    LOST_HOST_ROWS(
            Severity.NOTE,
            "{operations}: a host was lost, and {rows:,d} rows of {table} differ by what it wrote after its last report",
            "They count as neither lost nor written.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    LOST_HOST_WROTE(
            Severity.NOTE,
            "{check}: a host was lost, which may have written more",
            "More rows than acknowledged count as its own.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    LOST_HOST_MAY_WRITE(
            Harm.WRITES,
            "Sessions of the lost host {host} on {url} could not be ended[[: {sessions:,d} are connected]][[ ({why})]]",
            "Rows that it writes after the check are not in this result.",
            "Stop its agent before the next run."),
    CHECKED_AT_RESETS(
            Severity.NOTE,
            "{operations}: {table} was checked at {resets:,d} resets and at the end",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    UPDATES_COUNTED(
            Severity.NOTE,
            "{operations} of {table}: the server counted all {updated:,d} acknowledged updates (n_tup_upd)[[; it counted {counted:,d} in all, with those of other sessions and of transactions that were rolled back]]",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    UPDATES_FOUND(
            Severity.NOTE,
            "{operations} of {table}: all {ids:,d} updated ids have a new row version (xmin)",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    UPDATED_ROWS_DELETED(
            Severity.NOTE,
            "{operations} of {table}: {found:,d} of {ids:,d} updated ids have a new row version (xmin), and other sessions deleted {deleted:,d} rows of the table meanwhile",
            "The rows of the other ids may be among the deleted ones.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    STEP_NOT_CHECKED(
            Severity.NOTE,
            "{operation}: its writes were not checked: {why}",
            "Lost writes would go unnoticed.",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    COUNTS_AGREE(
            Severity.NOTE,
            "{check}: {found:,d} there, {acknowledged:,d} acknowledged",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    BALANCES_AGREE(
            Severity.NOTE,
            "The sums of the balances grew as the history did: {grown:,d}, history {history:,d}",
            "",
            "See [write checks](measurement.md#checks-of-what-was-written)."),
    TABLES_CREATED(
            Severity.NOTE,
            "pgbench's tables were created in {seconds:.1f} s ({steps:.1f s})",
            "Later runs use them again.",
            "Use `--scale` for another size."),
    TABLE_SIZES(
            Severity.NOTE,
            "{where}: tables {tablesMegabytes:,.1f} MB, indexes {indexesMegabytes:,.1f} MB from {inputMegabytes:,.1f} MB of input, {tablesRatio:.2f} and with indexes {ratio:.2f} times the input",
            "",
            "Compare with other `--indexes`."),
    TABLE_READ(
            Severity.NOTE,
            "{operation} read {table}: {rows:,d} rows, {megabytes:,.1f} MB",
            "",
            "Use `--table-rows` for another size."),
    SCAN_PLAN(Severity.NOTE, "Plan of {operation}: {plan}", "", "Compare it with the plan that you expect."),
    TABLES_NOT_CHECKED(
            Severity.NOT_VALID,
            "The tables were still being reset and could not be checked",
            "Lost writes would go unnoticed.",
            "Run again."),
    TABLE_GREW(
            Harm.WRITES,
            "{table} has {added:,d} more rows than before the run, which inserted none into it",
            "Other sessions inserted them, or ids are in the table twice.",
            "Find out who inserts; on Postgres-XL, see [clusters](clusters.md)."),
    ROW_SECURITY(
            Harm.SUBJECT,
            "Row security policies of {table} apply to role {role}[[ ({policies})]]",
            "Each statement checks those of its kind, and does not reach the rows that they hide.",
            "Compare with the owner or a role with BYPASSRLS to see what they cost."),
    IDS_NOT_UNIQUE(
            Harm.LOAD,
            "{table} contains {missing:,d} rows without an id, and {repeated:,d} rows with the id of another row",
            "Rows without an id are never drawn, and an operation on a repeated id meets several rows.",
            "Make `_id` the primary key if ids should be unique."),

    // Several hosts

    HOST_LOST(
            Severity.NOT_VALID,
            "Lost {host}[[ {beforeSeconds:.1f} s before the measurement]][[ at {atSeconds:.1f} of {measuredSeconds:.1f} s]][[ ({why})]][[: its {clients:,d} clients are not counted from then on]]",
            "Its part of the load is missing from its last report on.",
            "Read the agent's log. See [several hosts](fleet.md)."),
    HOST_LOST_AS_TOLERATED(
            Harm.LOAD,
            "Lost {host}[[ {beforeSeconds:.1f} s before the measurement]][[ at {atSeconds:.1f} of {measuredSeconds:.1f} s]][[ ({why})]][[: its {clients:,d} clients are not counted from then on]]",
            "Its part of the load is missing from its last report on, as permitted by `--tolerate-lost {tolerated:d}`.",
            "Read the agent's log. See [several hosts](fleet.md)."),
    HOST_IS_LOST(
            Harm.LOAD,
            "Lost host {host}: {why}",
            "Its part of the load is missing from now on.",
            "Read the agent's log. See [several hosts](fleet.md)."),
    HOST_DIFFERS(
            Harm.SUBJECT,
            "The hosts are unequal: {host} has {figures}",
            "The total mixes unequal hosts.",
            "Give it fewer clients or more cores, or compare its network and what else runs on it with the others."),
    HOST_NOT_VALID(
            Severity.NOT_VALID,
            "The part of {host} is not valid",
            "Part of the figures may not be used.",
            "Read the host's own remarks."),
    HOST_MESSAGES_MISSING(
            Severity.NOT_VALID,
            "{messages:,d} messages with its records did not arrive",
            "Operations of this host are missing in the sums.",
            "Look at the network between the hosts."),
    HOST_MEASURED_OTHERWISE(
            Severity.NOT_VALID,
            "It measured for {measuredSeconds:.2f} s, the run for {runSeconds:.2f} s",
            "The end of the measurement reached it late, or it ended earlier.",
            "Look at the network between the hosts."),
    HOST_GONE(Severity.NOT_VALID, "{why}", "Its part of the load is missing.", "Read the agent's log."),
    HOST_DID_NOT_SEND(
            Severity.NOT_VALID,
            "{operations:,d} operations that were due are in no report of it",
            "They were not sent, or their outcome is unknown.",
            "Read the agent's log."),
    CLOCK_UNSURE(
            Harm.TIME,
            "The clock of {hosts} is known only to within {boundSeconds:.3f} s, more than a tenth of an interval of {intervalSeconds:.3f} s",
            "Interval totals mix slightly different times.",
            "Use a longer `--interval`, or hosts with a shorter round trip."),
    CLOCK_UNKNOWN(
            Severity.NOT_VALID,
            "The clock of {hosts} is known only to within {boundSeconds:.3f} s, more than half of an interval of {intervalSeconds:.3f} s",
            "Interval totals mix different times.",
            "Use a longer `--interval`, or hosts with a shorter round trip."),
    INSECURE_FLEET(
            Harm.SURROUNDINGS,
            "The hosts' messages were neither encrypted nor authenticated (--insecure)",
            "Others in the network can read and change them.",
            "Use `stress agent keys`."),
    MERGED_APART(
            Harm.TIME,
            "The runs started {seconds:.1f} s apart",
            "Interval totals mix different times.",
            "Start the runs at the same time, or use [a fleet](fleet.md)."),
    MERGED_WITHOUT_TIMES(
            Harm.SURROUNDINGS,
            "Some intervals have no histograms",
            "The merged intervals have no latencies.",
            "Merge results that have all their intervals."),

    // Comparisons and searches

    VARIANT_CLIENT_CPU(
            Severity.NOT_VALID,
            "The client ran out of CPU: with {variant}, it used {cores:.2f} of {cpus:.0f} cores on average",
            "The ratio may reflect the client.",
            "Run the client on a larger or separate machine."),
    VARIANT_NOT_STEADY(
            Severity.NOT_VALID,
            "With {variant}, throughput in the last third of a block was {ratio:.2f} times that in the first, on average of {blocks:,d} blocks",
            "The ratio depends on how long a block lasts.",
            "Use a longer `--warmup`."),
    FEW_OPERATIONS_PER_BLOCK(
            Harm.TIME,
            "Clients ran few operations per block, so the rate is the number of clients divided by the mean latency",
            "The rate is less exact.",
            "Use longer blocks (`--duration`)."),
    SERVERS_DIFFER(
            Harm.SUBJECT,
            "The servers differ in {setting}: {values}",
            "Commits then cost them different amounts of work.",
            "Use the same value on all servers."),
    LIMIT_NOT_CHECKED(
            Harm.LOAD,
            "Too few operations or rounds to check --fail-if {limit} for {variant}",
            "The limit was not applied.",
            "Use more rounds or longer blocks."),
    DEFAULTS_DIFFER(
            Harm.SUBJECT,
            "Settings that nobody set differ: {settings}",
            "The versions have different defaults, which may explain the difference.",
            "Set them with `--server-set` to compare versions without them."),
    ONE_CLUSTER(
            Harm.SUBJECT,
            "Each variant ran on one cluster",
            "Two clusters of one build differ, by their layout in memory and on disk, and the intervals do not cover that.",
            "Use several (`--clusters`)."),
    EARLIER_RESULT(
            Harm.LOAD,
            "The earlier result was measured at another time, not interleaved with this one",
            "The difference includes everything else that changed since (data, caches, other load, the machine), and the intervals do not cover that.",
            "Compare both in one run if you can."),
    EARLIER_NOT_VALID(
            Severity.NOT_VALID,
            "The earlier result is not valid ({reasons})",
            "A difference from it means nothing.",
            "Compare with a valid result."),
    EARLIER_OTHER_LOAD(
            Severity.NOT_VALID,
            "The earlier result is of another load ({differences})",
            "A difference from it says nothing about the server or the variants.",
            "Compare with a result of the same load, or compare both loads in one run (`--vary`). If they differ on purpose, use `--accept earlier_other_load`."),
    EARLIER_CIRCUMSTANCES(
            Harm.LOAD,
            "The circumstances differ from those of the earlier result: {differences}",
            "The difference may come from these.",
            "Restore the circumstances, or compare both in one run."),
    EARLIER_CLIENTS(
            Harm.LOAD,
            "The number of clients differs (earlier result: {earlier:,d}, {variant}: {clients:,d})",
            "This may explain the difference.",
            "Use the same number of clients."),
    KNEE_NOT_REACHED(
            Harm.LOAD,
            "The knee was not reached",
            "Throughput may still rise with more clients.",
            "Raise the limit of clients."),
    CLIMB_ENDED_EARLY(
            Harm.LOAD,
            "The climb {end} after {steps:,d} steps, before the knee was found",
            "Throughput may still rise with more clients.",
            "Let it run to its end."),
    KNEE_NOT_DETERMINED(
            Harm.LOAD,
            "The knee could not be determined",
            "It lies in the stated range of clients.",
            "Allow more repetitions."),
    RATE_NOT_CONFIRMED(
            Severity.NOT_VALID,
            "The rate is not confirmed[[: {broke:,d} of {of:,d} trials at or below it broke a limit]][[: there was time for only {trials:,d} of the trials that confirm it, or none of a higher rate broke a limit for certain]]",
            "It may be too high.",
            "Repeat the search while nothing else runs, or with a longer `--duration`."),
    NO_RATE_CONFIRMED(
            Severity.NOT_VALID,
            "No rate is confirmed: {broke:,d} of {of:,d} trials broke a limit, and no rate kept it often enough",
            "Perhaps no rate keeps the limit.",
            "Use a longer `--duration`, so that chance decides less, or a limit that low rates keep clearly."),
    GENERATOR_IS_LIMIT(
            Harm.SUBJECT,
            "The load generator was the limit: its machine or its clients were full at the rate that broke the limit",
            "The server may keep the limit at a higher rate.",
            "Use a larger client machine, or [several](fleet.md)."),

    // The answer of a rehearsal

    DOCUMENTS_DIFFER(
            Severity.NO_GO,
            "Table {table} does not equal the dump (rows that are missing: {missing:,d}, additional: {additional:,d}, different: {different:,d}[[; _id {examples}]][[; first field: {fields}]])",
            "The application would read other data than in MongoDB.",
            "DBA: look for triggers and rules on the table. This shows what differs: `{command}`."),
    DOCUMENTS_REJECTED(
            Severity.NO_GO,
            "{rejected:,d} documents of {collection} were rejected ({why})",
            "The application would miss them.",
            "Developer: read the file of rejected documents. See [problem documents](import.md)."),
    INDEX_NOT_CREATED(
            Severity.NO_GO,
            "Index {index} of {table} could not be created: {why}[[; without it, the whole table is read by {operations}]]",
            "What it kept unique or fast in MongoDB is not so here.",
            "DBA: remove the cause, and run the same command with `--resume`."),
    INDEX_WITHOUT_COUNTERPART(
            Severity.GO_WITH_REMARKS,
            "Index {index} of {table} has no counterpart: {why}[[; without it, the whole table is read by {operations}]]",
            "Its queries take longer than in MongoDB.",
            "DBA: see [indexes](indexes.md)."),
    OPERATION_FAILS(
            Severity.NO_GO,
            "{operation} failed {failed:,d} of {ended:,d} times, most often with {message} ({sqlstate})",
            "The application would get this error.",
            "Developer: change its SQL, which is in the operations file, or ask the DBA to change the setting that ends it."),
    OPERATION_FAILS_AT_TIMES(
            Severity.GO_WITH_REMARKS,
            "{operation} failed {failed:,d} of {ended:,d} times, most often with {message} ({sqlstate})",
            "The application would get this error now and then.",
            "Developer: remove its cause, or let the application try again."),
    OPERATION_FINDS_NOTHING(
            Severity.GO_WITH_REMARKS,
            "Some operations did nothing: {evidence}",
            "The application would find less than in MongoDB, or its changes would be lost.",
            "Developer: read the operation's SQL in the operations file, and look for triggers, rules and policies on the table."),
    READS_WHOLE_TABLE(
            Severity.GO_WITH_REMARKS,
            "{operation} reads the whole table (a Seq Scan, which MongoDB calls a COLLSCAN)",
            "It takes longer as the table grows.",
            "Developer: change the query[[, or let the DBA create the index that the server then uses: {sql}]]."),
    SLOWER_THAN_MONGODB(
            Severity.GO_WITH_REMARKS,
            "The {figure} of {operation} is {millis:.1f} ms, and was {mongoMillis:.0f} ms in MongoDB",
            "At this rate, it is slower by more than chance explains.",
            "DBA: look at its plan, and at the waits in the report of the load."),
    RATE_NOT_REACHED(
            Severity.NO_GO,
            "The server did {served:,.1f} of the {rate:,.1f} operations per second that are needed[[ (in MongoDB, there were {observed:,.1f})]][[, and keeps {limit} up to {highest:,.1f}]]",
            "Operations would wait for longer and longer.",
            "Developer: make the slowest operations faster, or let the DBA use a larger server."),
    LIMIT_NOT_KEPT(
            Severity.NO_GO,
            "{limit} is not kept[[ at the {rate:,.1f} operations per second that are needed]][[, but up to {highest:,.1f}]]",
            "Users would wait for longer than the limit.",
            "Developer: make the slowest operations faster, or let the DBA use a larger server."),
    LITTLE_HEADROOM(
            Severity.GO_WITH_REMARKS,
            "{limit} is kept up to {highest:,.1f} operations per second, {times:.2f} times the {rate:,.1f} that are needed",
            "A peak would exceed the limit.",
            "Developer: make the slowest operations faster, or let the DBA use a larger server."),
    HEADROOM_UNKNOWN(
            Severity.GO_WITH_REMARKS,
            "The server does the operations per second that are needed, but whether it keeps {limit} at a higher rate is unknown",
            "A peak could exceed the limit.",
            "Repeat the rehearsal while nothing else runs, from a larger client machine, or with a longer `--duration`."),
    ACKNOWLEDGED_WRITES_LOST(
            Severity.NO_GO,
            "The tables differ from what the server had confirmed: {evidence}",
            "The application could lose data.",
            "DBA: look for triggers and rules on the table, and at `fsync` and other settings of the server."),
    OPERATIONS_GUESSED(
            Severity.GO_WITH_REMARKS,
            "The operations are guesses from the indexes, because the dump has no profile of this collection",
            "What your application does was not tried.",
            "DBA of MongoDB: first [record a profile](suggest.md#record-a-profile) of every operation, then rehearse again."),
    OPERATIONS_NOT_TRANSLATED(
            Severity.GO_WITH_REMARKS,
            "{entries:,d} of the profile's {of:,d} entries are operations that could not be translated",
            "Whether they work here, and how fast, is unknown.",
            "Developer: write those in SQL that the last lines of {file} list."),
    OPERATIONS_NOT_RUN(
            Severity.GO_WITH_REMARKS,
            "{operations} did not run in the {seconds:.0f} s of the load, because they are rare",
            "How long they take under this load is unknown.",
            "Rehearse with a longer `--duration`, or a higher `--rate`."),
    COLLECTIONS_NOT_REHEARSED(
            Severity.GO_WITH_REMARKS,
            "{entries:,d} of the profile's {of:,d} entries are operations on other collections ({collections})",
            "They were not run, and would use the same server.",
            "Rehearse them too, each with `--exclude` for the others."),
    RATE_UNKNOWN(
            Severity.GO_WITH_REMARKS,
            "How often production runs these operations is unknown",
            "Whether the server is fast enough for it is unknown, too.",
            "Give the rate with `--rate`, or [record a profile](suggest.md#record-a-profile) of every operation."),
    SERVER_WAS_NOT_THE_LIMIT(
            Severity.NOT_VALID,
            "The load generator, or other programs on its machine or the server's, were the limit when the server seemed to be too slow",
            "Whether the server is fast enough is unknown.",
            "Use a larger client machine, and end other programs."),

    LAYOUT_FASTER(
            Severity.NOTE,
            "With {layout}, the operations run at {ratio:.2f} times the rate of the table as imported ({low:.2f} to {high:.2f})",
            "The table takes {megabytes:,.1f} MB instead of {importedMegabytes:,.1f}[[, an operation writes {walBytes:,.0f} bytes of log (WAL) instead of {importedWalBytes:,.0f}]][[, and these operations are slower: {slower}]].",
            "Try it with your application: {sql}."),
    LAYOUTS_TIED(
            Severity.NOTE,
            "Which of these is the fastest is not decided: {layouts}",
            "Each is faster than the table as imported.",
            "Take the one that costs least, or compare them for longer."),
    LAYOUT_NOT_FASTER(
            Severity.NOTE,
            "No other layout makes the operations faster by more than chance explains",
            "The table as imported is as good, as far as this was measured.",
            "Look at the intervals: a longer `--duration` finds smaller differences."),
    LAYOUTS_NOT_VALID(
            Severity.NOTE,
            "The comparison of the layouts is not valid",
            "It says nothing about them.",
            "Read its reasons, and repeat it while nothing else runs."),
    LAYOUTS_NOT_TRIED(
            Severity.NOTE,
            "These cannot matter to the operations and were not tried: {layouts}",
            "",
            "Use `stress compare` if you expect something of them."),

    // Causes of a difference between variants

    CAUSE_PLANS(
            Severity.CAUSE,
            "{variant} runs {statement} by {own}, {baseline} by {other}",
            "The plans differ.",
            "Compare them with `stress explain`, and the settings and statistics of the planner."),
    CAUSE_NODES_TOUCHED(
            Severity.CAUSE,
            "{variant} touches {own}[[ by {statements}]], {baseline} {other}",
            "Each shard or node that a statement touches adds work.",
            "Use statements that filter on the distribution column."),
    CAUSE_PARSES(
            Severity.CAUSE,
            "{variant} makes the server parse {own:.1f} statements per operation, {baseline} {other:.1f}",
            "A statement that is parsed at each execution is usually planned at each execution, too.",
            "Use `--statement prepared`."),
    CAUSE_TWO_PHASE_COMMITS(
            Severity.CAUSE,
            "{variant} takes [[{ownBound} ]]{own:.1f} two-phase commits per operation, {baseline} [[{otherBound} ]]{other:.1f}",
            "Such a commit takes more round trips and writes to disk.",
            "Keep the writes of an operation on one node."),
    CAUSE_NODE_STATEMENTS(
            Severity.CAUSE,
            "{variant} makes the nodes run {own:.1f} statements per operation, {baseline} {other:.1f}",
            "The cluster does more work for the same operation.",
            "Read where the statements go."),
    CAUSE_ROUND_TRIPS(
            Severity.CAUSE,
            "{variant} takes {own:.1f} round trips per operation, {baseline} {other:.1f}",
            "Each round trip adds the time of the network.",
            "Use fewer statements per operation."),
    CAUSE_GENERIC_PLANS(
            Severity.CAUSE,
            "{variant} runs {own:.2f} of its statements by generic plans, {baseline} {other:.2f}",
            "A generic plan saves planning, and may be worse than a plan for the actual values.",
            "Compare the plans; see `plan_cache_mode`."),
    CAUSE_CONNECTION_WAITS(
            Severity.CAUSE,
            "{variant} waits {own:,.1f} us per operation for a connection, {baseline} {other:,.1f}",
            "The difference is in the pool, not in the server.",
            "If there are fewer connections than clients, use a larger pool."),
    CAUSE_SERVER_STATEMENTS(
            Severity.CAUSE,
            "{variant} makes the {server} run {own:.1f} statements per operation, {baseline} {other:.1f}",
            "The server does more work for the same operation.",
            "Read the table of statements."),
    CAUSE_WAL(
            Severity.CAUSE,
            "{variant} writes {own:,.0f} bytes of WAL per operation on the {server}, {baseline} {other:,.0f}",
            "More is written to disk and sent to standbys.",
            "Look at indexes, full-page writes and the size of rows."),
    CAUSE_BLOCKS_READ(
            Severity.CAUSE,
            "{variant} reads {own:.2f} blocks per operation from disk on the {server}, {baseline} {other:.2f}",
            "Reads outside the server's cache take longer.",
            "Compare the sizes of data and cache."),
    CAUSE_BLOCKS_HIT(
            Severity.CAUSE,
            "{variant} accesses {own:.1f} blocks per operation on the {server}, {baseline} {other:.1f}",
            "The plans differ, or the table is bloated.",
            "Compare the plans."),
    CAUSE_SERVER_TIME(
            Severity.CAUSE,
            "{variant} needs {own:,.0f} us per operation on the {server}, {baseline} {other:,.0f}",
            "The difference is on the server.",
            "Compare the plans and the waits."),
    CAUSE_SERVER_CPU(
            Severity.CAUSE,
            "{variant} uses {own:,.0f} us of server CPU per operation, {baseline} {other:,.0f}",
            "The difference is in the server.",
            "Compare the plans and the versions."),
    CAUSE_BYTES_SENT(
            Severity.CAUSE,
            "{variant} sends {own:,.0f} bytes per operation, {baseline} {other:,.0f}",
            "More bytes cost time on the network and in the client.",
            "Send less, or prepared statements."),
    CAUSE_BYTES_RECEIVED(
            Severity.CAUSE,
            "{variant} receives {own:,.0f} bytes per operation, {baseline} {other:,.0f}",
            "More bytes cost time on the network and in the client.",
            "Read fewer columns or rows."),
    CAUSE_OPERATION_WAITS(
            Severity.CAUSE,
            "{operations} operations spend {own} of the time {what} with {variant}, {other} with {baseline}",
            "The slower variant waits more.",
            "Look up the wait event."),
    CAUSE_WAITS(
            Severity.CAUSE,
            "its sessions were '{what}' {own} of the time, those of {baseline} {other}",
            "Sessions spent their time differently.",
            "Look up the wait event."),
    CAUSE_QUOTA(
            Severity.CAUSE,
            "the CPU quota of {what} was used up {own} of the time, with {baseline} {other}",
            "A quota slowed one variant down more than the other.",
            "Compare the cores that each node used."),
    CAUSE_CPU(
            Severity.CAUSE,
            "the CPU of {what} was busy {own} of the time, with {baseline} {other}",
            "The machines worked differently.",
            "Read the table of machines."),
    CAUSE_CLIENT_CPU(
            Severity.CAUSE,
            "{variant} uses {own:,.0f} us of client CPU per operation, {baseline} {other:,.0f}",
            "The difference may be in the client.",
            "Compare with the server's times."),

    // What could not be read

    NOT_READABLE(Severity.NOTE, "Could not read {what} of {server}: {error}", "These figures are missing.", ""),
    WAL_NOT_READABLE(
            Severity.NOTE, "Could not read the WAL counters of {servers}: {error}", "These figures are missing.", ""),
    RIGHT_MISSING(Severity.NOTE, "Unavailable: {what} {servers}", "", "To see them, {remedy}."),
    STATEMENTS_UNAVAILABLE(
            Severity.NOTE, "Unavailable: statement statistics of {servers}", "", "To see them, {remedy}."),
    ACTIVITIES_UNTRACKED(
            Severity.NOTE,
            "track_activities is off on {servers}",
            "What sessions did and waited for is only partly known.",
            "Turn it on, also in the role and the database of the run."),
    STATEMENTS_DROPPED(
            Severity.NOTE,
            "pg_stat_statements of {servers} is full and dropped entries of the run's statements",
            "Where statements went was not counted.",
            "Raise `pg_stat_statements.max`."),
    STATEMENTS_RESET(
            Severity.NOTE,
            "The statement counters of {servers} were reset during the run, perhaps by a restart",
            "Where statements went was not counted.",
            "Find out who resets them."),
    TWO_PHASE_AT_LEAST(
            Severity.NOTE,
            "Each two-phase commit takes an entry in pg_stat_statements, and {servers} is full and drops entries",
            "There were more two-phase commits than reported.",
            "Raise `pg_stat_statements.max`."),
    STATEMENTS_NOT_READ_BEFORE(
            Severity.NOTE,
            "Could not read pg_stat_statements of {server} before the run",
            "Its statements are missing.",
            "Read the other notes."),
    STATEMENTS_NOT_EXPLAINED(
            Severity.NOTE, "Could not explain the statements: {error}", "Where statements should go is unknown.", ""),
    COUNTERS_NOT_READ_BEFORE(
            Severity.NOTE,
            "Could not read {what} before the run",
            "These figures are missing.",
            "Read the other notes."),
    COUNTERS_RESET(
            Severity.NOTE,
            "Something reset {what} during the run, perhaps a restart",
            "What the server had counted before is missing.",
            "Find out who resets them."),
    COUNTERS_DROPPED(
            Severity.NOTE,
            "{what} was full and dropped entries of the run's statements",
            "Some counts of statements are too low.",
            "Raise `pg_stat_statements.max`."),
    STATEMENTS_MISSING(
            Severity.NOTE,
            "pg_stat_statements counted {counted:,d} of {made:,d} executions of a statement of the run",
            "Its entry was reset or dropped during the run, and the counts of statements are too low.",
            "Find out who resets them, or raise `pg_stat_statements.max`."),
    SILENT_AFTER_RUN(
            Severity.NOTE,
            "No answer from {server} after the run",
            "Its counters are missing.",
            "Read the server's log."),
    SESSIONS_LEFT(
            Severity.NOTE,
            "{sessions:,d} sessions on {server} had not ended {seconds:.1f} s after the load",
            "Its counters may lack their last operations.",
            "Ignore this unless it happens again."),
    NODES_NOT_READABLE(
            Severity.NOTE,
            "Could not read the nodes of the cluster: {error}",
            "Only the servers that clients connect to were observed.",
            ""),
    IDLE_SERVERS(
            Severity.NOTE,
            "There are fewer clients than servers, and none on {servers}",
            "These servers got no load.",
            "Use more clients."),
    WATCHED_HOST_NOT_READABLE(
            Severity.NOTE,
            "Could not read --watch-host {host}: {why}",
            "The figures of that machine are missing.",
            "Check `--watch-host`, and that `ssh` needs no password.");

    /** What a remark does to the validity of a result. */
    public enum Severity {
        /** The figures may not be used. */
        NOT_VALID,
        /** The figures may be used with regard to this. */
        WARNING,
        /** A rehearsal's answer is no go. */
        NO_GO,
        /** A rehearsal's answer is at best go with remarks. */
        GO_WITH_REMARKS,
        /** Says why figures are as they are. */
        CAUSE,
        /** Says what else was seen, or which figures are missing. */
        NOTE
    }

    /**
     * What a warning puts in doubt, the most harmful first. Results have their warnings in this order, and the console shows the first ones
     * only.
     */
    public enum Harm {
        /** The result: it would not be valid, had the user not accepted a reason. */
        VALIDITY,
        /** What was written: acknowledged rows may be lost. */
        WRITES,
        /** What was asked: operations or servers failed, so that the load was another one, or there is no answer. */
        LOAD,
        /** What was measured: the figures may be those of the client, of other processes, or of another configuration. */
        SUBJECT,
        /** When it was measured: too short, or while something changed. */
        TIME,
        /** The highest latencies: single operations were slow. */
        STALLS,
        /** Nothing yet: something near the run could have mattered, or lesser figures are missing. */
        SURROUNDINGS
    }

    private final Severity severity;
    private final Harm harm;
    private final String cause;
    private final String consequence;
    private final String action;

    /** A code whose remarks are no warnings, unless a user accepts a reason. */
    RemarkCode(Severity severity, String cause, String consequence, String action) {
        this(severity, Harm.VALIDITY, cause, consequence, action);
    }

    /** A warning. */
    RemarkCode(Harm harm, String cause, String consequence, String action) {
        this(Severity.WARNING, harm, cause, consequence, action);
    }

    RemarkCode(Severity severity, Harm harm, String cause, String consequence, String action) {
        this.severity = severity;
        this.harm = harm;
        this.cause = cause;
        this.consequence = consequence;
        this.action = action;
    }

    /** In small letters, the codes of all reasons for which a result is not valid. */
    public static List<String> reasons() {
        return Stream.of(values())
                .filter(code -> code.severity == Severity.NOT_VALID)
                .map(RemarkCode::word)
                .toList();
    }

    /** The code with this word, as {@link #reasons} has it. */
    public static RemarkCode ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Severity severity() {
        return severity;
    }

    /** What a warning of this code puts in doubt. */
    Harm harm() {
        return harm;
    }

    /** What was seen: a sentence without a period at its end. */
    public RemarkText cause() {
        return new RemarkText(cause);
    }

    /** What follows for the reader of the result, in a sentence; empty if it is obvious. */
    public RemarkText consequence() {
        return new RemarkText(consequence);
    }

    /** What to do about it, in sentences; empty if nothing can be done. */
    public RemarkText action() {
        return new RemarkText(action);
    }

    /** The figures by name, in the order in which they first stand in the texts. Units are part of the names. */
    public Map<String, RemarkText.Figure> figures() {
        Map<String, RemarkText.Figure> figures = new LinkedHashMap<>();
        Stream.of(cause(), consequence(), action())
                .flatMap(text -> text.figures().stream())
                .forEach(figure -> figures.merge(figure.name(), figure, RemarkText.Figure::and));
        return figures;
    }

    /**
     * Begins a remark of this code with one of its figures.
     *
     * @throws IllegalArgumentException if its texts do not have this figure
     */
    public Remark.Builder with(String figure, @Nullable Object value) {
        return new Remark.Builder(this).with(figure, value);
    }

    /**
     * The remark of a code that needs no figure.
     *
     * @throws IllegalStateException if it needs one
     */
    public Remark remark() {
        return new Remark.Builder(this).remark();
    }

    /** The cause with these figures. */
    String text(Map<String, ?> values) {
        return cause().with(values);
    }

    /** The consequence and the action with these figures, as plain text. */
    String advice(Map<String, ?> values) {
        return (consequence().plain(values) + " " + action().plain(values)).strip();
    }
}
