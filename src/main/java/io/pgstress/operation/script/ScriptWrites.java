package io.pgstress.operation.script;

import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.operation.Writes;
import io.pgstress.operation.custom.StepWrite;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptCommand;
import io.pgstress.plan.script.ScriptCommand.Branch;
import io.pgstress.plan.script.ScriptCommand.Jump;
import io.pgstress.plan.script.ScriptCommand.Send;
import io.pgstress.text.SqlText;
import io.pgstress.text.SqlVerb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The writes of a script's SQL, with the tallies of its clients. Thread-safe. */
final class ScriptWrites {
    private static final Set<String> BEGINS = Set.of("begin", "start");
    private static final Set<String> COMMITS = Set.of("commit", "end");
    private static final Set<String> UNDOES = Set.of("rollback", "abort");

    /**
     * What one SQL command does to the counts of writes.
     *
     * @param write null: it writes nothing whose count is known
     * @param tallies null if {@code write} is
     */
    private record OfSend(
            @Nullable StepWrite write, @Nullable WriteTallies tallies, boolean commits, boolean undoes) {}

    private final List<OfSend> sends = new ArrayList<>();
    private final List<TableCheck> checks = new ArrayList<>();

    /**
     * @param operation the operation's name
     * @param isOneTransaction whether a run commits each operation as a whole
     */
    ScriptWrites(String operation, Script script, boolean isOneTransaction) {
        String doubt = doubt(script);
        List<String> uncounted = new ArrayList<>();
        boolean isOpen = isOneTransaction;
        for (Send send : script.sends()) {
            String text = send.sql().text();
            String verb = SqlVerb.of(text).word();
            boolean ends = COMMITS.contains(verb) || UNDOES.contains(verb);
            isOpen = BEGINS.contains(verb) || (isOpen && (!ends || isChained(text)));
            StepWrite write = StepWrite.of(text);
            boolean isCounted = write != null && write.kind() != null && doubt.isEmpty();
            WriteTallies tallies = isCounted ? new WriteTallies(isOpen) : null;
            sends.add(new OfSend(isCounted ? write : null, tallies, COMMITS.contains(verb), UNDOES.contains(verb)));
            String name = script.isShipped() ? operation : operation + " (" + send.name() + ")";
            if (write != null && tallies != null) {
                checks.add(Writes.shared(name, Objects.requireNonNull(write.kind()), write.table(), tallies));
            } else if (write != null && doubt.isEmpty()) {
                checks.add(TableCheck.Unchecked.of(operation, name, write.why(), List.of(text)));
            } else if (write != null && !SqlVerb.of(text).isOfTransaction()) {
                uncounted.add(text);
            }
        }
        if (!uncounted.isEmpty()) {
            checks.add(TableCheck.Unchecked.of(operation, operation, doubt, uncounted));
        }
    }

    /** Whether the next transaction begins at once, as it does with {@code and chain} but not with {@code and no chain}. */
    private static boolean isChained(String sql) {
        List<String> words = SqlText.words(sql);
        return words.contains("chain") && !words.contains("no");
    }

    /** Why the script does not tell which of its writes are committed; an empty string if it does. */
    private static String doubt(Script script) {
        List<ScriptCommand> commands = script.commands();
        int conditionalUpTo = 0;
        for (int c = 0; c < commands.size(); c++) {
            if (commands.get(c) instanceof Branch branch) {
                conditionalUpTo = Math.max(conditionalUpTo, branch.otherwise());
            } else if (commands.get(c) instanceof Jump jump) {
                conditionalUpTo = Math.max(conditionalUpTo, jump.to());
            } else if (commands.get(c) instanceof Send send) {
                List<SqlVerb> verbs = SqlVerb.ofEach(send.sql().text());
                boolean isOfTransaction = verbs.stream().anyMatch(SqlVerb::isOfTransaction);
                Optional<String> obscured = SqlText.statements(send.sql().text()).stream()
                        .map(StepWrite::obscures)
                        .filter(why -> !why.isEmpty())
                        .findFirst();
                if (obscured.isPresent()) {
                    return obscured.get();
                }
                if (isOfTransaction && verbs.size() > 1) {
                    return "it begins or ends a transaction together with other statements";
                }
                if (isOfTransaction && c < conditionalUpTo) {
                    return "its transactions depend on conditions";
                }
            }
        }
        return "";
    }

    List<TableCheck> checks() {
        return List.copyOf(checks);
    }

    OfClient forClient() {
        return new OfClient(sends);
    }

    /** The writes of one client. Not thread-safe. */
    static final class OfClient {
        private final List<OfSend> sends;
        private final @Nullable WriteTally[] tallies;
        private final WriteTally[] all;

        private OfClient(List<OfSend> sends) {
            this.sends = sends;
            this.tallies = sends.stream()
                    .map(send -> send.tallies == null ? null : send.tallies.forClient())
                    .toArray(WriteTally[]::new);
            this.all = Stream.of(tallies).filter(Objects::nonNull).toArray(WriteTally[]::new);
        }

        /** Called before SQL is sent. */
        void sent(int send) {
            WriteTally tally = tallies[send];
            if (tally != null) {
                tally.sent();
            }
        }

        /** Called when the server has executed it, with the number of rows. */
        void acknowledged(int send, long rows) {
            WriteTally tally = tallies[send];
            OfSend its = sends.get(send);
            if (tally != null) {
                tally.acknowledged(rows);
                if (rows == 0 && its.write != null && its.write.isRowDue()) {
                    tally.discarded(1);
                }
            }
            if (its.commits) {
                committed();
            } else if (its.undoes) {
                undone();
            }
        }

        void failed(int send, SQLException e) {
            WriteTally tally = tallies[send];
            if (tally != null) {
                WriteTallies.failed(tally, e);
            }
            if (sends.get(send).commits) {
                notCommitted(e);
            }
        }

        void committed() {
            for (WriteTally tally : all) {
                tally.committed();
            }
        }

        void notCommitted(SQLException e) {
            for (WriteTally tally : all) {
                WriteTallies.notCommitted(tally, e);
            }
        }

        /** The open transaction has no effect. */
        void undone() {
            for (WriteTally tally : all) {
                if (tally.isInTransaction()) {
                    tally.refused();
                }
            }
        }
    }
}
