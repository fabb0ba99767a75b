package io.pgstress.operation.script;

import io.pgstress.plan.script.Expression;
import io.pgstress.plan.script.Expression.ValueType;
import io.pgstress.plan.script.Expression.Variable;
import io.pgstress.plan.script.ScriptFunction;
import java.util.List;
import java.util.Locale;

/**
 * Computes the expressions of one client's script as pgbench does: with 64-bit integers that do not overflow unnoticed, with doubles
 * if an operand is one, and with nulls that make a result null. The result is in its fields, so nothing is allocated. Not thread-safe.
 */
final class ScriptEvaluator {
    private static final double MIN_GAUSSIAN = 2;
    private static final double MIN_ZIPFIAN = 1.001;
    private static final double MAX_ZIPFIAN = 1000;

    /** Doubles from the first one to below the second one can be integers. */
    private static final double LEAST_INTEGER = -0x1.0p63;

    private static final double BEYOND_INTEGERS = 0x1.0p63;

    private final ScriptVariables variables;
    private final ScriptRandom random;

    private ValueType type = ValueType.NULL;
    private long integer;
    private double real;

    ScriptEvaluator(ScriptVariables variables, ScriptRandom random) {
        this.variables = variables;
        this.random = random;
    }

    /** The type of the last result. */
    ValueType type() {
        return type;
    }

    /** The last result if it is an integer, or 1 if it is true, and 0 if it is false. */
    long integer() {
        return integer;
    }

    /** The last result if it is a double. */
    double real() {
        return real;
    }

    /** Whether the last result is true as a condition: true, or a number other than 0. */
    boolean isTrue() {
        return switch (type) {
            case NULL -> false;
            case BOOLEAN, INT -> integer != 0;
            case DOUBLE -> real != 0;
        };
    }

    /** Computes an expression. */
    void compute(Expression expression) throws ScriptFailure {
        if (expression instanceof Expression.Constant constant) {
            set(constant.type(), constant.integer(), constant.real());
        } else if (expression instanceof Variable variable) {
            ValueType known = variables.type(variable);
            set(known, variables.integer(variable.slot()), variables.real(variable.slot()));
        } else {
            compute((Expression.Call) expression);
        }
    }

    private void set(ValueType ofResult, long asInteger, double asReal) {
        type = ofResult;
        integer = asInteger;
        real = asReal;
    }

    private void setNull() {
        set(ValueType.NULL, 0, 0);
    }

    private void setInteger(long value) {
        set(ValueType.INT, value, 0);
    }

    private void setReal(double value) {
        set(ValueType.DOUBLE, 0, value);
    }

    private void setBoolean(boolean value) {
        set(ValueType.BOOLEAN, value ? 1 : 0, 0);
    }

    private void compute(Expression.Call call) throws ScriptFailure {
        List<Expression> arguments = call.arguments();
        switch (call.function()) {
            case AND -> connect(arguments, false);
            case OR -> connect(arguments, true);
            case CASE -> choose(arguments);
            case LEAST -> extreme(arguments, true);
            case GREATEST -> extreme(arguments, false);
            case PI -> setReal(Math.PI);
            case DEBUG -> compute(arguments.get(0));
            case NOT, ABS, SQRT, LN, EXP, DOUBLE, INT -> ofOne(call.function(), arguments.get(0));
            case RANDOM_EXPONENTIAL, RANDOM_GAUSSIAN, RANDOM_ZIPFIAN, PERMUTE -> ofThree(call.function(), arguments);
            default -> ofTwo(call.function(), arguments.get(0), arguments.get(1));
        }
    }

    /** The second operand of {@code and} and {@code or} is computed only if the first one does not decide. */
    private void connect(List<Expression> operands, boolean decisive) throws ScriptFailure {
        for (Expression operand : operands) {
            compute(operand);
            if (type == ValueType.NULL) {
                return;
            }
            if (asBoolean() == decisive) {
                return;
            }
        }
    }

    private void choose(List<Expression> parts) throws ScriptFailure {
        for (int when = 0; when + 1 < parts.size(); when += 2) {
            compute(parts.get(when));
            if (isTrue()) {
                compute(parts.get(when + 1));
                return;
            }
        }
        compute(parts.get(parts.size() - 1));
    }

    private void extreme(List<Expression> arguments, boolean isLeast) throws ScriptFailure {
        boolean hasNull = false;
        boolean hasBoolean = false;
        boolean hasReal = false;
        long best = 0;
        double bestReal = 0;
        for (int a = 0; a < arguments.size(); a++) {
            compute(arguments.get(a));
            hasNull |= type == ValueType.NULL;
            hasBoolean |= type == ValueType.BOOLEAN;
            hasReal |= type == ValueType.DOUBLE;
            double asReal = type == ValueType.DOUBLE ? real : integer;
            if (type == ValueType.INT && (a == 0 || (isLeast ? integer < best : integer > best))) {
                best = integer;
            }
            if (a == 0 || !(isLeast ? bestReal < asReal : bestReal > asReal)) { // the last one if one is no number
                bestReal = asReal;
            }
        }
        if (hasNull) {
            setNull();
        } else if (hasBoolean) {
            throw ScriptFailure.cannotCoerce(ValueType.BOOLEAN, hasReal ? ValueType.DOUBLE : ValueType.INT);
        } else if (hasReal) {
            setReal(bestReal);
        } else {
            setInteger(best);
        }
    }

    private void ofOne(ScriptFunction function, Expression argument) throws ScriptFailure {
        compute(argument);
        if (type == ValueType.NULL) {
            return;
        }
        switch (function) {
            case NOT -> setBoolean(!asBoolean());
            case ABS -> {
                if (type == ValueType.INT) {
                    setInteger(integer < 0 ? -integer : integer);
                } else {
                    double value = asReal();
                    setReal(value < 0 ? -value : value);
                }
            }
            case SQRT -> setReal(Math.sqrt(asReal()));
            case LN -> setReal(Math.log(asReal()));
            case EXP -> setReal(Math.exp(asReal()));
            case DOUBLE -> setReal(asReal());
            default -> setInteger(asInteger());
        }
    }

    private void ofTwo(ScriptFunction function, Expression first, Expression second) throws ScriptFailure {
        compute(first);
        ValueType leftType = type;
        long leftInteger = integer;
        double leftReal = real;
        compute(second);
        if (function == ScriptFunction.IS) {
            setBoolean(leftType == type && (type == ValueType.NULL || leftInteger == integer));
            return;
        }
        if (leftType == ValueType.NULL || type == ValueType.NULL) {
            setNull();
            return;
        }
        if (function == ScriptFunction.POW
                || (hasReals(function) && (leftType == ValueType.DOUBLE || type == ValueType.DOUBLE))) {
            double left = asReal(leftType, leftInteger, leftReal);
            ofReals(function, left, asReal());
        } else {
            long left = asInteger(leftType, leftInteger, leftReal);
            ofIntegers(function, left, asInteger());
        }
    }

    /** Whether a function of two numbers has doubles if one of them is a double. */
    private static boolean hasReals(ScriptFunction function) {
        return switch (function) {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL -> true;
            default -> false;
        };
    }

    private void ofReals(ScriptFunction function, double left, double right) {
        switch (function) {
            case ADD -> setReal(left + right);
            case SUBTRACT -> setReal(left - right);
            case MULTIPLY -> setReal(left * right);
            case DIVIDE -> setReal(left / right);
            case EQUAL -> setBoolean(left == right);
            case NOT_EQUAL -> setBoolean(left != right);
            case LESS -> setBoolean(left < right);
            case LESS_OR_EQUAL -> setBoolean(left <= right);
            default -> setReal(Math.pow(left, right));
        }
    }

    private void ofIntegers(ScriptFunction function, long left, long right) throws ScriptFailure {
        switch (function) {
            case ADD -> setInteger(sum(left, right));
            case SUBTRACT -> setInteger(difference(left, right));
            case MULTIPLY -> setInteger(product(left, right));
            case DIVIDE, MOD -> divide(function == ScriptFunction.DIVIDE, left, right);
            case EQUAL -> setBoolean(left == right);
            case NOT_EQUAL -> setBoolean(left != right);
            case LESS -> setBoolean(left < right);
            case LESS_OR_EQUAL -> setBoolean(left <= right);
            case BIT_AND -> setInteger(left & right);
            case BIT_OR -> setInteger(left | right);
            case BIT_XOR -> setInteger(left ^ right);
            case SHIFT_LEFT -> setInteger(left << right);
            case SHIFT_RIGHT -> setInteger(left >> right);
            case HASH_FNV1A -> setInteger(ScriptRandom.fnv1a(left, right));
            case HASH_MURMUR2 -> setInteger(ScriptRandom.murmur2(left, right));
            case RANDOM -> {
                checkRange(left, right);
                setInteger(random.uniform(left, right));
            }
            default -> throw new IllegalArgumentException("not of two numbers: " + function);
        }
    }

    private static long sum(long left, long right) throws ScriptFailure {
        long sum = left + right;
        if (((left ^ sum) & (right ^ sum)) < 0) {
            throw ScriptFailure.outOfRange("add");
        }
        return sum;
    }

    private static long difference(long left, long right) throws ScriptFailure {
        long difference = left - right;
        if (((left ^ right) & (left ^ difference)) < 0) {
            throw ScriptFailure.outOfRange("sub");
        }
        return difference;
    }

    private static long product(long left, long right) throws ScriptFailure {
        long low = left * right;
        if (Math.multiplyHigh(left, right) != low >> (Long.SIZE - 1)) {
            throw ScriptFailure.outOfRange("mul");
        }
        return low;
    }

    private void divide(boolean isQuotient, long left, long right) throws ScriptFailure {
        if (right == 0) {
            throw ScriptFailure.divisionByZero();
        }
        if (isQuotient && left == Long.MIN_VALUE && right == -1) {
            throw ScriptFailure.outOfRange("div");
        }
        setInteger(isQuotient ? left / right : left % right);
    }

    private void ofThree(ScriptFunction function, List<Expression> arguments) throws ScriptFailure {
        compute(arguments.get(0));
        ValueType firstType = type;
        long firstInteger = integer;
        double firstReal = real;
        compute(arguments.get(1));
        ValueType secondType = type;
        long secondInteger = integer;
        double secondReal = real;
        compute(arguments.get(2));
        if (firstType == ValueType.NULL || secondType == ValueType.NULL || type == ValueType.NULL) {
            setNull();
            return;
        }
        long first = asInteger(firstType, firstInteger, firstReal);
        long second = asInteger(secondType, secondInteger, secondReal);
        if (function == ScriptFunction.PERMUTE) {
            long seed = asInteger();
            if (second <= 0) {
                throw ScriptFailure.invalidArgument("permute size parameter must be greater than zero");
            }
            setInteger(ScriptRandom.permuted(first, second, seed));
            return;
        }
        checkRange(first, second);
        setInteger(drawn(function, first, second, asReal()));
    }

    private long drawn(ScriptFunction function, long min, long max, double parameter) throws ScriptFailure {
        switch (function) {
            case RANDOM_GAUSSIAN -> {
                if (parameter < MIN_GAUSSIAN) {
                    throw invalid("gaussian parameter must be at least 2.000000 (not %f)", parameter);
                }
                return random.gaussian(min, max, parameter);
            }
            case RANDOM_ZIPFIAN -> {
                if (parameter < MIN_ZIPFIAN || parameter > MAX_ZIPFIAN) {
                    throw invalid("zipfian parameter must be in range [1.001, 1000] (not %f)", parameter);
                }
                return random.zipfian(min, max, parameter);
            }
            default -> {
                if (parameter <= 0) {
                    throw invalid("exponential parameter must be greater than zero (not %f)", parameter);
                }
                return random.exponential(min, max, parameter);
            }
        }
    }

    private static ScriptFailure invalid(String template, double parameter) {
        return ScriptFailure.invalidArgument(String.format(Locale.ROOT, template, parameter));
    }

    private static void checkRange(long min, long max) throws ScriptFailure {
        if (min > max) {
            throw ScriptFailure.invalidArgument("empty range given to random");
        }
        long size = max - min + 1;
        if (size <= 0) {
            throw ScriptFailure.invalidArgument("random range is too large");
        }
    }

    private boolean asBoolean() throws ScriptFailure {
        if (type != ValueType.BOOLEAN) {
            throw ScriptFailure.cannotCoerce(type, ValueType.BOOLEAN);
        }
        return integer != 0;
    }

    private long asInteger() throws ScriptFailure {
        return asInteger(type, integer, real);
    }

    private static long asInteger(ValueType ofValue, long asInteger, double asReal) throws ScriptFailure {
        if (ofValue == ValueType.INT) {
            return asInteger;
        }
        if (ofValue != ValueType.DOUBLE) {
            throw ScriptFailure.cannotCoerce(ofValue, ValueType.INT);
        }
        double rounded = Math.rint(asReal);
        if (!(rounded >= LEAST_INTEGER && rounded < BEYOND_INTEGERS)) {
            throw ScriptFailure.tooLargeForInt(rounded);
        }
        return (long) rounded;
    }

    private double asReal() throws ScriptFailure {
        return asReal(type, integer, real);
    }

    private static double asReal(ValueType ofValue, long asInteger, double asReal) throws ScriptFailure {
        if (ofValue == ValueType.DOUBLE) {
            return asReal;
        }
        if (ofValue != ValueType.INT) {
            throw ScriptFailure.cannotCoerce(ofValue, ValueType.DOUBLE);
        }
        return asInteger;
    }
}
