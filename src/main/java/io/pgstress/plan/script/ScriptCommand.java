package io.pgstress.plan.script;

import io.pgstress.text.NamedSql;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command of a script. Conditions are jumps to the number of another command; the number of commands is the end of the script.
 * Immutable.
 */
public sealed interface ScriptCommand {
    /** Its line, from 1. */
    int line();

    /**
     * SQL that is sent in one message.
     *
     * @param name its name in reports, unique in the script
     * @param sql for JDBC; its parameters are the variables outside quotes and comments
     * @param slots the variables of the parameters
     * @param parts the text before, between and after all variables, also those in quotes and comments
     * @param partSlots the variables between the parts
     * @param quoted the variables in quotes
     * @param gather where its results go; null: nowhere
     */
    record Send(
            int line,
            String name,
            NamedSql sql,
            List<Integer> slots,
            List<String> parts,
            List<Integer> partSlots,
            List<Expression.Variable> quoted,
            @Nullable Gather gather)
            implements ScriptCommand {
        public Send {
            slots = List.copyOf(slots);
            parts = List.copyOf(parts);
            partSlots = List.copyOf(partSlots);
            quoted = List.copyOf(quoted);
        }
    }

    /**
     * {@code \gset} or {@code \aset}.
     *
     * @param ofAll whether the last rows of all results are stored, rather than the only row of the last result
     * @param prefix precedes the names of columns
     */
    record Gather(boolean ofAll, String prefix) {}

    /** {@code \set}. */
    record Assign(int line, Expression.Variable variable, Expression value) implements ScriptCommand {}

    /** {@code \if} or {@code \elif}: the script continues at {@code otherwise} unless the condition is true. */
    record Branch(int line, Expression condition, int otherwise) implements ScriptCommand {}

    /** The end of a branch that is not the last one. */
    record Jump(int line, int to) implements ScriptCommand {}

    /**
     * {@code \sleep}.
     *
     * @param number how long, if {@code variable} is null
     * @param variable has the number
     * @param unitMicros microseconds
     */
    record Sleep(int line, long number, Expression.@Nullable Variable variable, long unitMicros)
            implements ScriptCommand {}
}
