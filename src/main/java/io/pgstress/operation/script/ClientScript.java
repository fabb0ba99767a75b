package io.pgstress.operation.script;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.EmptyResults;
import io.pgstress.operation.custom.SqlMistakes;
import io.pgstress.plan.script.Expression;
import io.pgstress.plan.script.Expression.Variable;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptCommand;
import io.pgstress.plan.script.ScriptCommand.Assign;
import io.pgstress.plan.script.ScriptCommand.Branch;
import io.pgstress.plan.script.ScriptCommand.Gather;
import io.pgstress.plan.script.ScriptCommand.Jump;
import io.pgstress.plan.script.ScriptCommand.Send;
import io.pgstress.plan.script.ScriptCommand.Sleep;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.ResultReader;
import io.pgstress.text.SqlVerb;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A script as run by one client. Its variables keep their values from one execution to the next. A repeated execution after a
 * conflict draws the same random numbers, as in pgbench. Not thread-safe.
 */
final class ClientScript implements ClientOperation {
    private static final long NANOS_OF_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final Script script;
    private final Rules rules;
    private final ScriptVariables variables;
    private final ScriptRandom random;
    private final ScriptEvaluator evaluator;
    private final ScriptWrites.OfClient writes;
    private final @Nullable ClientStatements session;
    private final Step[] steps;
    private final boolean isExplained;
    private long rows;
    private boolean isMiss;

    /**
     * How the clients of a script run it.
     *
     * @param isText whether variables are replaced in the text of SQL; otherwise they are bind parameters
     * @param types of the bind parameters, by SQL command; empty if they are unknown
     * @param fixedRows rows per execution; -1: those of its SQL
     * @param expectsRows whether SQL that reads or changes no row makes the execution a miss
     * @param empty counts the values that a query without a row did not provide
     */
    record Rules(boolean isText, List<List<String>> types, long fixedRows, boolean expectsRows, EmptyResults empty) {}

    /** A command. */
    private interface Step {
        /** Executes it; returns the number of the next command. */
        int run() throws SQLException;
    }

    /**
     * @param statements one for each SQL command
     * @param session where a transaction must not be open at the end; null: it does not matter
     */
    ClientScript(
            Script script,
            Rules rules,
            SqlStatement[] statements,
            ScriptVariables variables,
            ScriptRandom random,
            ScriptWrites.OfClient writes,
            @Nullable ClientStatements session) {
        this.script = script;
        this.rules = rules;
        this.variables = variables;
        this.random = random;
        this.evaluator = new ScriptEvaluator(variables, random);
        this.writes = writes;
        this.session = session;
        this.isExplained = statements.length > 0 && statements[0].isExplained();
        List<Step> all = new ArrayList<>();
        int sends = 0;
        for (ScriptCommand command : script.commands()) {
            int next = all.size() + 1;
            all.add(
                    command instanceof Send send
                            ? new ClientSend(send, sends, statements[sends++], next)
                            : step(command, next));
        }
        this.steps = all.toArray(Step[]::new);
    }

    private Step step(ScriptCommand command, int next) {
        if (command instanceof Assign assign) {
            int slot = assign.variable().slot();
            return () -> {
                if (computes(assign.value())) {
                    variables.set(slot, evaluator.type(), evaluator.integer(), evaluator.real());
                } else {
                    variables.forget(slot);
                }
                return next;
            };
        }
        if (command instanceof Branch branch) {
            return () -> computes(branch.condition()) && evaluator.isTrue() ? next : branch.otherwise();
        }
        if (command instanceof Sleep sleep) {
            return () -> {
                if (!isExplained) {
                    sleep(sleep);
                }
                return next;
            };
        }
        int to = ((Jump) command).to();
        return () -> to;
    }

    /** Computes an expression; returns false if it has no value because the SQL that gives it was only explained. */
    private boolean computes(Expression expression) throws ScriptFailure {
        try {
            evaluator.compute(expression);
            return true;
        } catch (ScriptFailure e) {
            if (isExplained) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean draw() {
        random.save();
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        random.restore();
        rows = 0;
        isMiss = false;
        int next = 0;
        try {
            while (next < steps.length) {
                next = steps[next].run();
            }
            if (session != null && !isExplained && session.isInTransaction()) {
                next = steps.length - 1;
                throw ScriptFailure.transactionLeftOpen();
            }
        } catch (ScriptFailure e) {
            writes.undone();
            String text = script.message(script.commands().get(next).line(), String.valueOf(e.getMessage()));
            if (EmptyResults.NO_DATA.equals(e.getSQLState())) {
                rules.empty.met(text);
            }
            throw e.at(text);
        } catch (SQLException e) {
            writes.undone();
            throw e;
        }
        return isMiss ? Ending.MISS : Ending.OK;
    }

    @Override
    public void committed() {
        writes.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        writes.notCommitted(e);
    }

    @Override
    public long rows() {
        return rules.fixedRows >= 0 ? rules.fixedRows : rows;
    }

    private void sleep(Sleep sleep) throws ScriptFailure {
        Variable variable = sleep.variable();
        long number = variable == null ? sleep.number() : number(variable);
        long until = System.nanoTime() + number * sleep.unitMicros() * NANOS_OF_MICRO;
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                throw ScriptFailure.interrupted();
            }
        }
    }

    /** The integer at the beginning of a variable's text. */
    private int number(Variable variable) throws ScriptFailure {
        String text = variables.text(variable.slot());
        if (text == null) {
            throw ScriptFailure.undefined(variable.name());
        }
        String number = text.strip().replaceFirst("(?s)^([-+]?\\d+).*", "$1");
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw ScriptFailure.invalidArgument(
                    "invalid sleep time \"" + text + "\" for variable \"" + variable.name() + "\"");
        }
    }

    /** A SQL command with its statement. */
    private final class ClientSend implements Step, ResultReader {
        private static final int NOWHERE = -1;

        private final Send send;
        private final int number;
        private final SqlStatement statement;
        private final int next;
        private final int[] slots;
        /** Bytes of the integers that the server expects for the parameters; 0: it expects something else. */
        private final int[] widths;

        private final String[] parts;
        private final int[] partSlots;
        private final StringBuilder text = new StringBuilder();
        private final boolean countsRows;
        private final @Nullable Gather gather;
        /** The variables of the columns, if results always have the same ones. */
        private Column @Nullable [] columns;

        /**
         * A column of a result.
         *
         * @param slot of its variable; {@link #NOWHERE}: the script has none
         * @param type of {@link Types}
         */
        private record Column(int slot, int type) {}

        /** @param number of the SQL command */
        ClientSend(Send send, int number, SqlStatement statement, int next) {
            this.send = send;
            this.number = number;
            this.statement = statement;
            this.next = next;
            this.slots = ints(send.slots());
            List<String> types = rules.types.get(number);
            this.widths = types.size() == slots.length
                    ? types.stream().mapToInt(ClientSend::width).toArray()
                    : new int[slots.length];
            this.parts = send.parts().toArray(String[]::new);
            this.partSlots = ints(send.partSlots());
            this.countsRows = SqlVerb.of(send.sql().text()).countsRows();
            this.gather = send.gather();
        }

        private static int width(String type) {
            return type.equals("int8") ? Long.BYTES : type.equals("int4") ? Integer.BYTES : 0;
        }

        private static int[] ints(List<Integer> numbers) {
            return numbers.stream().mapToInt(Integer::intValue).toArray();
        }

        @Override
        public int run() throws SQLException {
            if (isExplained && lacksValue()) {
                return next;
            }
            if (rules.isText && !isExplained) {
                statement.setSql(rendered());
            } else {
                bind();
            }
            writes.sent(number);
            long count;
            try {
                count = statement.run(this);
            } catch (SQLException e) {
                writes.failed(number, e);
                throw e instanceof ScriptFailure
                        ? e
                        : SqlMistakes.at(message -> script.message(send.line(), message), e);
            }
            writes.acknowledged(number, count);
            rows += count;
            isMiss |= rules.expectsRows && countsRows && count == 0 && !isExplained;
            return next;
        }

        /** Whether it needs the value of SQL that was only explained. */
        private boolean lacksValue() {
            for (int p = 0; p < slots.length; p++) {
                if (!variables.isDefined(slots[p])) {
                    statement.notExplained("no value for ':"
                            + send.sql().names().get(p) + "': the SQL that gives it finds no row, or is not run here");
                    return true;
                }
            }
            return false;
        }

        /** The text with the values of the variables; those without a value stay. */
        private String rendered() {
            if (partSlots.length == 0) {
                return parts[0];
            }
            text.setLength(0);
            text.append(parts[0]);
            for (int v = 0; v < partSlots.length; v++) {
                String value = variables.text(partSlots[v]);
                if (value == null) {
                    text.append(':').append(script.variable(partSlots[v]));
                } else {
                    text.append(value);
                }
                text.append(parts[v + 1]);
            }
            return text.toString();
        }

        /** Binds integers as such where the server expects one, and all else as text whose type the server infers. */
        private void bind() throws SQLException {
            for (int p = 0; p < slots.length; p++) {
                int slot = slots[p];
                long integer = variables.integer(slot);
                int width = variables.isInteger(slot) ? widths[p] : 0;
                if (width == Long.BYTES) {
                    statement.setLong(p + 1, integer);
                } else if (width == Integer.BYTES && (int) integer == integer) {
                    statement.setInt(p + 1, (int) integer);
                } else {
                    statement.setUntyped(p + 1, variables.text(slot));
                }
            }
        }

        @Override
        public void row(ResultSet row, boolean isLast) throws SQLException {
            Gather into = gather;
            if (into == null || !(into.ofAll() || isLast)) {
                return;
            }
            Column[] known = columns;
            if (known == null || into.ofAll() || rules.isText) {
                known = columns(row.getMetaData(), into.prefix());
                columns = known;
            }
            for (int c = 0; c < known.length; c++) {
                store(row, c + 1, known[c]);
            }
        }

        private Column[] columns(ResultSetMetaData data, String prefix) throws SQLException {
            Column[] found = new Column[data.getColumnCount()];
            for (int c = 0; c < found.length; c++) {
                String name = prefix + data.getColumnLabel(c + 1);
                if (!Script.isVariable(name)) {
                    throw ScriptFailure.badName(name);
                }
                int slot = script.slots().getOrDefault(name, NOWHERE);
                found[c] = new Column(slot, slot == NOWHERE ? Types.NULL : data.getColumnType(c + 1));
            }
            return found;
        }

        /** Integers are typed at once; all else is the server's text, and null an empty one. */
        private void store(ResultSet row, int number, Column column) throws SQLException {
            switch (column.type) {
                case Types.NULL -> {}
                case Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
                    variables.setInteger(column.slot, row.getLong(number));
                case Types.DOUBLE -> variables.setText(column.slot, ScriptVariables.exactText(row.getDouble(number)));
                case Types.BINARY -> variables.setText(column.slot, hexadecimal(row.getBytes(number)));
                default -> variables.setText(column.slot, String.valueOf(row.getString(number)));
            }
            if (column.slot != NOWHERE && row.wasNull()) {
                variables.setText(column.slot, "");
            }
        }

        private static String hexadecimal(byte @Nullable [] bytes) {
            return bytes == null ? "" : "\\x" + HexFormat.of().formatHex(bytes);
        }

        @Override
        public void end(long count, boolean isLast) throws SQLException {
            Gather into = gather;
            if (into != null && !into.ofAll() && isLast && count != 1 && !isExplained) {
                throw ScriptFailure.notOneRow(Math.max(0, count));
            }
        }
    }
}
