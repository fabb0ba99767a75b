package io.pgstress.operation;

import io.pgstress.dataset.Claim;
import java.util.List;

/**
 * What a run must know of an operation to prepare it, to reset it and to run it beside others.
 *
 * @param claims the tables that it needs for itself, so that no second run may use them at the same time
 * @param copy what the copy table must be before the load and whenever ids are used up
 * @param whenUsedUp what happens to its tables when an operation of the mix has used up its ids
 * @param isTransaction whether it begins and ends its own transaction
 * @param definesTables whether its clients define tables or indexes, which some nodes of a cluster refuse
 * @param rowBytes bytes per row, for rates of bytes; 0: not reported
 */
public record OperationProfile(
        List<Claim> claims,
        CopyState copy,
        WhenUsedUp whenUsedUp,
        boolean isTransaction,
        boolean definesTables,
        double rowBytes) {
    /** An operation that shares the table under load and changes nothing. */
    public static final OperationProfile DEFAULT =
            new OperationProfile(List.of(), CopyState.UNUSED, WhenUsedUp.RESET, false, false, 0);

    public OperationProfile {
        claims = List.copyOf(claims);
    }

    /** What happens to an operation's own tables when ids are used up and the run resets its tables. */
    public enum WhenUsedUp {
        /** They are reset with the others; that does not make its own ids available again. */
        RESET,
        /** They are reset, which makes its ids available again. */
        REPLENISH,
        /** They are left as they are: the operation continues where it is. */
        CONTINUE
    }

    /** The same, needing these tables for itself. */
    public OperationProfile claiming(List<Claim> tables) {
        return new OperationProfile(tables, copy, whenUsedUp, isTransaction, definesTables, rowBytes);
    }

    /** The same, needing this table for itself. */
    public OperationProfile claiming(String table) {
        return claiming(List.of(new Claim(table, false)));
    }

    /** The same with this state of the copy table. */
    public OperationProfile withCopy(CopyState state) {
        return new OperationProfile(claims, state, whenUsedUp, isTransaction, definesTables, rowBytes);
    }

    /** The same with another rule for used-up ids. */
    public OperationProfile when(WhenUsedUp rule) {
        return new OperationProfile(claims, copy, rule, isTransaction, definesTables, rowBytes);
    }

    /** The same as a transaction of its own, or not. */
    public OperationProfile asTransaction(boolean isOne) {
        return new OperationProfile(claims, copy, whenUsedUp, isOne, definesTables, rowBytes);
    }

    /** The same, with clients that define tables or indexes, or not. */
    public OperationProfile definingTables(boolean does) {
        return new OperationProfile(claims, copy, whenUsedUp, isTransaction, does, rowBytes);
    }

    /** The same with rows of this many bytes. */
    public OperationProfile withRowBytes(double bytes) {
        return new OperationProfile(claims, copy, whenUsedUp, isTransaction, definesTables, bytes);
    }
}
