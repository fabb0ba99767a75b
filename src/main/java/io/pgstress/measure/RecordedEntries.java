package io.pgstress.measure;

/** Reads the operations that a {@link ClientRecorder} has appended to its array, see {@link EntryLayout}. Immutable. */
final class RecordedEntries {
    private final Outcome[] outcomes = Outcome.values();
    private final int node;
    private final long latencyLimit;

    RecordedEntries(int node, long latencyLimit) {
        this.node = node;
        this.latencyLimit = latencyLimit;
    }

    /** Adds all entries to an interval, whose lock the caller holds; returns how many of them succeeded. */
    int addTo(IntervalData interval, long[] buffer, int used) {
        int ok = 0;
        for (int at = 0; at < used; ) {
            ok += EntryLayout.outcome(buffer[at]) == Outcome.OK.ordinal() ? 1 : 0;
            at = add(interval, buffer, at);
        }
        return ok;
    }

    /** Adds the entry at this index; returns the index of the next one. */
    private int add(IntervalData interval, long[] buffer, int at) {
        long head = buffer[at];
        int next = at + EntryLayout.length(head);
        Cell cell = interval.cell(node, EntryLayout.operation(head));
        Outcome outcome = outcomes[EntryLayout.outcome(head)];
        if (EntryLayout.isCarried(head)) {
            cell.carried[outcome.ordinal()]++;
            cell.carriedRows += outcome == Outcome.OK ? buffer[at + EntryLayout.ROWS] : 0;
            cell.carriedNanos += buffer[at + EntryLayout.TOTAL];
            return next;
        }
        boolean open = EntryLayout.isOpen(head);
        cell.outcomes[outcome.ordinal()]++;
        cell.retries += EntryLayout.retries(head);
        long total = buffer[at + EntryLayout.TOTAL];
        long lag = buffer[at + EntryLayout.LAG];
        if (outcome != Outcome.OK && outcome != Outcome.UNFINISHED) {
            cell.time(Time.FAILED, total);
        } else {
            cell.time(Time.TOTAL, total);
            if (outcome == Outcome.OK) {
                cell.time(Time.ACQUIRE, buffer[at + EntryLayout.ACQUIRE]);
                cell.time(Time.SERVICE, buffer[at + EntryLayout.SERVICE]);
                cell.rows += buffer[at + EntryLayout.ROWS];
                if (buffer[at + EntryLayout.FETCH] > 0) {
                    cell.time(Time.FETCH, buffer[at + EntryLayout.FETCH]);
                }
            }
            if (open) {
                cell.time(Time.RESPONSE, total + lag);
            }
        }
        if (open) {
            cell.time(Time.LAG, lag);
        }
        if ((open ? total + lag : total) > latencyLimit) {
            cell.late++;
        }
        for (int s = at + EntryLayout.STATEMENTS; s < next; s += EntryLayout.LONGS_PER_STATEMENT) {
            cell.statements[EntryLayout.statementOf(buffer[s])].record(EntryLayout.nanosOf(buffer[s]), buffer[s + 1]);
        }
        return next;
    }
}
