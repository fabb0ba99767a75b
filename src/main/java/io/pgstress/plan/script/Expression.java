package io.pgstress.plan.script;

import java.util.List;
import java.util.Locale;

/** An expression of {@code \set}, {@code \if} or {@code \elif}. Immutable. */
public sealed interface Expression {
    /** The types of values. */
    enum ValueType {
        NULL,
        BOOLEAN,
        INT,
        DOUBLE;

        /** pgbench's word for it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A constant.
     *
     * @param integer an integer, 1 for true; 0 of other types
     * @param real 0 unless it is a double
     */
    record Constant(ValueType type, long integer, double real) implements Expression {
        public static final Constant NULL = new Constant(ValueType.NULL, 0, 0);
        public static final Constant TRUE = new Constant(ValueType.BOOLEAN, 1, 0);
        public static final Constant FALSE = new Constant(ValueType.BOOLEAN, 0, 0);

        public static Constant of(long integer) {
            return new Constant(ValueType.INT, integer, 0);
        }

        public static Constant of(double real) {
            return new Constant(ValueType.DOUBLE, 0, real);
        }
    }

    /**
     * The value of a variable.
     *
     * @param slot the number of the variable in its script
     */
    record Variable(String name, int slot) implements Expression {}

    /** A function or an operator with its arguments. */
    record Call(ScriptFunction function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }
}
