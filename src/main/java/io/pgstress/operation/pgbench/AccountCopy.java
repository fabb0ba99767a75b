package io.pgstress.operation.pgbench;

import io.pgstress.operation.workload.PortionedCopy;
import java.nio.charset.StandardCharsets;

/** The rows of {@code pgbench_accounts}; a portion is a branch's accounts. Stateless. */
final class AccountCopy {
    private static final int MAX_LINE = 40;

    private AccountCopy() {}

    /** @param scale number of branches */
    static PortionedCopy.Content rows(int scale) {
        return new PortionedCopy.Content(
                "pgbench_accounts (aid, bid, abalance, filler)",
                (long) scale * PgbenchTables.ACCOUNTS,
                PgbenchTables.ACCOUNTS,
                MAX_LINE,
                portion -> ofBranch(portion + 1));
    }

    private static PortionedCopy.Rows ofBranch(long branch) {
        byte[] rest = ("\t" + branch + "\t0\t\n").getBytes(StandardCharsets.US_ASCII);
        return (account, to, from) -> {
            int at = write(account, to, from);
            System.arraycopy(rest, 0, to, at, rest.length);
            return at + rest.length;
        };
    }

    private static int write(long number, byte[] to, int from) {
        int end = from + Long.toString(number).length();
        long rest = number;
        for (int i = end - 1; i >= from; i--) {
            to[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }
}
