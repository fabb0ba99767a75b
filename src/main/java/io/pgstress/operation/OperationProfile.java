package io.pgstress.operation;

import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.RunLock.Claim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run must know about an operation to set it up, to reset it and to mix it with others.
 *
 * @param claims the tables that it needs exclusively: no other run may use them at the same time
 * @param copy the required state of the copy table before the load and after each reset
 * @param whenUsedUp what happens to its tables when an operation of the mix has used up its ids
 * @param isTransaction whether it begins and ends its own transaction
 * @param definesTables whether its clients define tables or indexes, which some nodes of a cluster refuse
 * @param rowBytes bytes per row, for byte rates; 0: not reported
 * @param maxRows most rows of documents that a client holds in memory at once if the fetch size is 0; 0: few
 * @param requestsCheckpoints whether it runs CHECKPOINT during the load, so that checkpoints do not disturb it
 * @param slices the ids of the rows that it needs in the copy table, if its state is {@link CopyState#DRAWN}
 */
public record OperationProfile(
        List<Claim> claims,
        CopyState copy,
        WhenUsedUp whenUsedUp,
        boolean isTransaction,
        boolean definesTables,
        double rowBytes,
        int maxRows,
        boolean requestsCheckpoints,
        @Nullable KeySlices slices) {
    /** An operation that shares the table under load and changes nothing. */
    public static final OperationProfile DEFAULT =
            new OperationProfile(List.of(), CopyState.UNUSED, WhenUsedUp.RESET, false, false, 0, 0, false, null);

    public OperationProfile {
        claims = List.copyOf(claims);
    }

    /** What happens to an operation's own tables when some operation of the mix has used up its ids. */
    public enum WhenUsedUp {
        /** They are reset with the others, but the operation's own ids stay used up. */
        RESET,
        /** They are reset, and the operation's ids become available again. */
        REPLENISH,
        /** They are left unchanged: the operation continues. */
        CONTINUE
    }

    /** A copy that claims these tables for exclusive use. */
    public OperationProfile claiming(List<Claim> tables) {
        return new OperationProfile(
                tables, copy, whenUsedUp, isTransaction, definesTables, rowBytes, maxRows, requestsCheckpoints, slices);
    }

    /** A copy that claims this table for exclusive use. */
    public OperationProfile claiming(String table) {
        return claiming(List.of(new Claim(table, false)));
    }

    /** A copy with this state of the copy table. */
    public OperationProfile withCopy(CopyState state) {
        return new OperationProfile(
                claims,
                state,
                whenUsedUp,
                isTransaction,
                definesTables,
                rowBytes,
                maxRows,
                requestsCheckpoints,
                slices);
    }

    /** A copy that needs the rows of the current slice in the copy table. */
    public OperationProfile withCopyOf(KeySlices ids) {
        return new OperationProfile(
                claims,
                CopyState.DRAWN,
                whenUsedUp,
                isTransaction,
                definesTables,
                rowBytes,
                maxRows,
                requestsCheckpoints,
                ids);
    }

    /** A copy with this rule for used-up ids. */
    public OperationProfile when(WhenUsedUp rule) {
        return new OperationProfile(
                claims, copy, rule, isTransaction, definesTables, rowBytes, maxRows, requestsCheckpoints, slices);
    }

    /** A copy that is, or is not, a transaction of its own. */
    public OperationProfile asTransaction(boolean isOne) {
        return new OperationProfile(
                claims, copy, whenUsedUp, isOne, definesTables, rowBytes, maxRows, requestsCheckpoints, slices);
    }

    /** A copy whose clients do, or do not, define tables or indexes. */
    public OperationProfile definingTables(boolean does) {
        return new OperationProfile(
                claims, copy, whenUsedUp, isTransaction, does, rowBytes, maxRows, requestsCheckpoints, slices);
    }

    /** A copy with this number of bytes per row. */
    public OperationProfile withRowBytes(double bytes) {
        return new OperationProfile(
                claims, copy, whenUsedUp, isTransaction, definesTables, bytes, maxRows, requestsCheckpoints, slices);
    }

    /** A copy whose clients hold up to this many rows in memory at once. */
    public OperationProfile holdingRows(int most) {
        return new OperationProfile(
                claims, copy, whenUsedUp, isTransaction, definesTables, rowBytes, most, requestsCheckpoints, slices);
    }

    /** A copy that does, or does not, run CHECKPOINT during the load. */
    public OperationProfile requestingCheckpoints(boolean does) {
        return new OperationProfile(
                claims, copy, whenUsedUp, isTransaction, definesTables, rowBytes, maxRows, does, slices);
    }

    /** The required state of the copy table before an operation runs. */
    public enum CopyState {
        /** Not used. */
        UNUSED,
        /** Exists, with any rows; created empty if missing. */
        PRESENT,
        /** Empty. */
        EMPTY,
        /** A copy of the rows of the table whose ids can be drawn, or of a slice of them. */
        DRAWN,
        /** A copy of the table, row by row. */
        FULL;

        /** Whether the run itself brings the table into this state. */
        public boolean isReset() {
            return this == EMPTY || isFilled();
        }

        /** Whether the table has rows in this state. */
        public boolean isFilled() {
            return this == DRAWN || this == FULL;
        }
    }
}
