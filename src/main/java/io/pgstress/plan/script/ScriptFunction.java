package io.pgstress.plan.script;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The functions and operators of expressions: those that pgbench's manual lists. Operators have names that no function can have.
 */
public enum ScriptFunction {
    ADD("+", 2, 2),
    SUBTRACT("-", 2, 2),
    MULTIPLY("*", 2, 2),
    DIVIDE("/", 2, 2),
    MOD("mod", 2, 2),
    BIT_AND("&", 2, 2),
    BIT_OR("|", 2, 2),
    BIT_XOR("#", 2, 2),
    SHIFT_LEFT("<<", 2, 2),
    SHIFT_RIGHT(">>", 2, 2),
    EQUAL("=", 2, 2),
    NOT_EQUAL("<>", 2, 2),
    LESS("<", 2, 2),
    LESS_OR_EQUAL("<=", 2, 2),
    AND("(and)", 2, 2),
    OR("(or)", 2, 2),
    NOT("(not)", 1, 1),
    IS("(is)", 2, 2),
    /** Pairs of a condition and a value, followed by the value if no condition is true. */
    CASE("(case)", 3, Integer.MAX_VALUE),
    ABS("abs", 1, 1),
    DEBUG("debug", 1, 1),
    DOUBLE("double", 1, 1),
    EXP("exp", 1, 1),
    GREATEST("greatest", 1, ScriptFunction.MAX_ARGUMENTS),
    /** The second argument is {@code :default_seed} if it is missing. */
    HASH_FNV1A("hash_fnv1a", 1, 2),
    /** The second argument is {@code :default_seed} if it is missing. */
    HASH_MURMUR2("hash hash_murmur2", 1, 2),
    INT("int", 1, 1),
    LEAST("least", 1, ScriptFunction.MAX_ARGUMENTS),
    LN("ln", 1, 1),
    /** The third argument is {@code :default_seed} if it is missing. */
    PERMUTE("permute", 2, 3),
    PI("pi", 0, 0),
    POW("pow power", 2, 2),
    RANDOM("random", 2, 2),
    RANDOM_EXPONENTIAL("random_exponential", 3, 3),
    RANDOM_GAUSSIAN("random_gaussian", 3, 3),
    RANDOM_ZIPFIAN("random_zipfian", 3, 3),
    SQRT("sqrt", 1, 1);

    /** The most arguments of a function. */
    static final int MAX_ARGUMENTS = 16;

    /** Separated by spaces. */
    private final String names;

    private final int least;
    private final int most;

    ScriptFunction(String names, int least, int most) {
        this.names = names;
        this.least = least;
        this.most = most;
    }

    /** The function with this name, in letters of any case. */
    static Optional<ScriptFunction> named(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(function -> (" " + function.names + " ").contains(" " + small + " "))
                .findFirst();
    }

    /** Whether its last argument is {@code :default_seed} if it is missing. */
    boolean hasSeed() {
        return this == HASH_FNV1A || this == HASH_MURMUR2 || this == PERMUTE;
    }

    /** What is wrong with this number of arguments; an empty string if nothing is. */
    String wrongCount(int arguments) {
        if (arguments >= least && arguments <= most) {
            return "";
        }
        if (most != MAX_ARGUMENTS) {
            return "unexpected number of arguments";
        }
        return arguments == 0
                ? "at least one argument expected"
                : "too many function arguments, maximum is " + MAX_ARGUMENTS;
    }
}
