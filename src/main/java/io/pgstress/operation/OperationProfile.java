package io.pgstress.operation;

import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.plan.OperationKind.CopyState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run must know about an operation to set it up, to reset it and to mix it with others.
 *
 * @param claims the tables that it needs exclusively: no other run may use them at the same time
 * @param copied the required state of the copy table before the load and after each reset
 * @param whenUsedUp what happens to its tables when an operation of the mix has used up its ids
 * @param traits what its clients do that most operations' clients do not
 * @param rowBytes bytes per row, for byte rates; 0: not reported
 * @param maxRows most rows of documents that a client holds in memory at once if the fetch size is 0; 0: few
 */
public record OperationProfile(
        List<Claim> claims,
        Copied copied,
        WhenUsedUp whenUsedUp,
        Set<OperationTrait> traits,
        double rowBytes,
        int maxRows) {
    /** An operation that shares the table under load and changes nothing. */
    public static final OperationProfile DEFAULT =
            new OperationProfile(List.of(), new Copied(CopyState.UNUSED, null), WhenUsedUp.RESET, Set.of(), 0, 0);

    public OperationProfile {
        claims = List.copyOf(claims);
        traits = Set.copyOf(traits);
    }

    /**
     * The rows of the copy table.
     *
     * @param slices the ids of the rows, if the state is {@link CopyState#DRAWN}
     */
    public record Copied(CopyState state, @Nullable KeySlices slices) {}

    /** What happens to an operation's own tables when some operation of the mix has used up its ids. */
    public enum WhenUsedUp {
        /** They are reset with the others, but the operation's own ids stay used up. */
        RESET,
        /** They are reset, and the operation's ids become available again. */
        REPLENISH,
        /** They are left unchanged: the operation continues. */
        CONTINUE
    }

    /** What the clients of only some operations do. */
    public enum OperationTrait {
        /** Begin and end their own transactions. */
        TRANSACTION,
        /** Define tables or indexes, which some nodes of a cluster refuse. */
        DEFINES_TABLES,
        /** Run CHECKPOINT during the load, so that checkpoints do not disturb it. */
        REQUESTS_CHECKPOINTS,
        /** Ask for rows that may not exist, or insert ids that may, so that misses and duplicates are ordinary outcomes. */
        EXPECTS_MISSES
    }

    /** The required state of the copy table. */
    public CopyState copy() {
        return copied.state;
    }

    public boolean has(OperationTrait trait) {
        return traits.contains(trait);
    }

    /** A copy that claims these tables for exclusive use. */
    public OperationProfile claiming(List<Claim> tables) {
        return new OperationProfile(tables, copied, whenUsedUp, traits, rowBytes, maxRows);
    }

    /** A copy that claims this table for exclusive use. */
    public OperationProfile claiming(String table) {
        return claiming(List.of(new Claim(table, false)));
    }

    /** A copy with this state of the copy table. */
    public OperationProfile withCopy(CopyState state) {
        return new OperationProfile(claims, new Copied(state, null), whenUsedUp, traits, rowBytes, maxRows);
    }

    /** A copy that needs the rows of the current slice in the copy table. */
    public OperationProfile withCopyOf(KeySlices ids) {
        return new OperationProfile(claims, new Copied(CopyState.DRAWN, ids), whenUsedUp, traits, rowBytes, maxRows);
    }

    /** A copy with this rule for used-up ids. */
    public OperationProfile when(WhenUsedUp rule) {
        return new OperationProfile(claims, copied, rule, traits, rowBytes, maxRows);
    }

    /** A copy whose clients do this too, if {@code does}. */
    public OperationProfile with(OperationTrait trait, boolean does) {
        Set<OperationTrait> all = EnumSet.noneOf(OperationTrait.class);
        all.addAll(traits);
        if (does) {
            all.add(trait);
        }
        return new OperationProfile(claims, copied, whenUsedUp, all, rowBytes, maxRows);
    }

    /** A copy with this number of bytes per row. */
    public OperationProfile withRowBytes(double bytes) {
        return new OperationProfile(claims, copied, whenUsedUp, traits, bytes, maxRows);
    }

    /** A copy whose clients hold up to this many rows in memory at once. */
    public OperationProfile holdingRows(int most) {
        return new OperationProfile(claims, copied, whenUsedUp, traits, rowBytes, most);
    }
}
