package io.pgstress.operation.script;

import io.pgstress.operation.EmptyResults;
import io.pgstress.plan.script.Expression.ValueType;
import java.sql.SQLException;
import java.util.Locale;

/** A command of a script that fails by itself, with the SQLSTATE that the server would have for such a mistake. */
final class ScriptFailure extends SQLException {
    private static final long serialVersionUID = 1;

    private ScriptFailure(String message, String state) {
        super(message, state);
    }

    static ScriptFailure divisionByZero() {
        return new ScriptFailure("division by zero", "22012");
    }

    static ScriptFailure outOfRange(String operation) {
        return new ScriptFailure("bigint " + operation + " out of range", "22003");
    }

    static ScriptFailure tooLargeForInt(double value) {
        return new ScriptFailure(String.format(Locale.ROOT, "double to int overflow for %f", value), "22003");
    }

    static ScriptFailure cannotCoerce(ValueType from, ValueType to) {
        return new ScriptFailure("cannot coerce " + from.label() + " to " + to.label(), "42804");
    }

    static ScriptFailure invalidArgument(String problem) {
        return new ScriptFailure(problem, "22023");
    }

    static ScriptFailure undefined(String variable) {
        return new ScriptFailure("undefined variable \"" + variable + "\"", "42704");
    }

    static ScriptFailure malformed(String variable, String value) {
        return new ScriptFailure("malformed variable \"" + variable + "\" value: \"" + value + "\"", "22P02");
    }

    static ScriptFailure notOneRow(long rows) {
        return new ScriptFailure("expected one row, got " + rows, rows == 0 ? EmptyResults.NO_DATA : "21000");
    }

    static ScriptFailure badName(String variable) {
        return new ScriptFailure("error storing into variable " + variable, "42602");
    }

    static ScriptFailure transactionLeftOpen() {
        return new ScriptFailure("end of script reached without completing the last transaction", "25001");
    }

    static ScriptFailure interrupted() {
        return new ScriptFailure("interrupted while sleeping", "57014");
    }

    /** A copy that says where in the script it happened. */
    ScriptFailure at(String place) {
        ScriptFailure copy = new ScriptFailure(place, getSQLState());
        copy.initCause(this);
        return copy;
    }
}
