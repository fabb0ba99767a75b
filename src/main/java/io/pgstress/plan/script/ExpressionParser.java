package io.pgstress.plan.script;

import io.pgstress.plan.script.Expression.Call;
import io.pgstress.plan.script.Expression.Constant;
import io.pgstress.plan.script.Expression.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Parses one expression of a script. Operators bind as in pgbench, from loosely to tightly: {@code or}, {@code and}, {@code not},
 * {@code is}, comparisons, operators on bits, {@code + -}, {@code * / %}, signs. Single use.
 */
final class ExpressionParser {
    /** What is wrong, and where. */
    static final class ExpressionException extends Exception {
        private static final long serialVersionUID = 1;

        private final int at;

        ExpressionException(String message, int at) {
            super(message);
            this.at = at;
        }

        /** The position in the text. */
        int at() {
            return at;
        }
    }

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int IS = 4;
    private static final int COMPARISON = 5;
    private static final int BITS = 6;
    private static final int SUM = 7;
    private static final int PRODUCT = 8;
    private static final int SIGN = 9;

    /** The absolute value of the least integer, which is allowed only after a minus. */
    private static final String AFTER_GREATEST = "9223372036854775808";

    /** How many operators and functions may contain each other; with many more, the stack of a client would overflow. */
    private static final int MAX_DEPTH = 500;

    private enum Token {
        END,
        /** Punctuation or a comparison; the text is its normal form. */
        OPERATOR,
        WORD,
        VARIABLE,
        INTEGER,
        REAL
    }

    private final String text;
    private final int end;
    private final ToIntFunction<String> slots;

    private Token token = Token.END;
    /** The text of the token: of a variable its name, of a word in lower case. */
    private String word = "";

    private int start;
    private int next;
    private int depth;

    /**
     * @param text the script
     * @param start, end the expression in it
     * @param slots the number of a variable
     */
    ExpressionParser(String text, int start, int end, ToIntFunction<String> slots) {
        this.text = text;
        this.next = start;
        this.end = end;
        this.slots = slots;
    }

    /** The expression. */
    Expression parse() throws ExpressionException {
        advance();
        Expression whole = expression(OR);
        if (token != Token.END) {
            throw unexpected();
        }
        return whole;
    }

    /** @param more by how much what comes next is deeper in the expression */
    private void deeper(int more) throws ExpressionException {
        depth += more;
        if (depth > MAX_DEPTH) {
            throw new ExpressionException("more than " + MAX_DEPTH + " operators are nested", start);
        }
    }

    private ExpressionException unexpected() {
        return new ExpressionException(
                token == Token.END
                        ? "syntax error at the end of the line"
                        : "syntax error at '" + text.substring(start, next) + "'",
                start);
    }

    /** An expression whose operators bind at least as tightly as this. */
    private Expression expression(int level) throws ExpressionException {
        int outer = depth;
        deeper(1);
        Expression left = operand();
        while (true) {
            int binds = level();
            if (binds < level) {
                depth = outer;
                return left;
            }
            deeper(1); // each operator contains all that is left of it
            if (binds == IS) {
                left = is(left);
                continue;
            }
            String operator = word;
            advance();
            Expression right = expression(binds + 1);
            if (binds == COMPARISON && level() == COMPARISON) {
                throw unexpected(); // a < b < c
            }
            left = binary(operator, left, right);
        }
    }

    /** How tightly the operator that comes next binds; 0: there is none. */
    private int level() {
        if (token == Token.WORD) {
            return switch (word) {
                case "or" -> OR;
                case "and" -> AND;
                case "is", "isnull", "notnull" -> IS;
                default -> 0;
            };
        }
        if (token != Token.OPERATOR) {
            return 0;
        }
        return switch (word) {
            case "<", ">", "=", "<=", ">=", "<>" -> COMPARISON;
            case "|", "#", "&", "<<", ">>" -> BITS;
            case "+", "-" -> SUM;
            case "*", "/", "%" -> PRODUCT;
            default -> 0;
        };
    }

    private static Expression binary(String operator, Expression left, Expression right) {
        return switch (operator) {
            case "or" -> call(ScriptFunction.OR, left, right);
            case "and" -> call(ScriptFunction.AND, left, right);
            case "=" -> call(ScriptFunction.EQUAL, left, right);
            case "<>" -> call(ScriptFunction.NOT_EQUAL, left, right);
            case "<" -> call(ScriptFunction.LESS, left, right);
            case "<=" -> call(ScriptFunction.LESS_OR_EQUAL, left, right);
            case ">" -> call(ScriptFunction.LESS, right, left);
            case ">=" -> call(ScriptFunction.LESS_OR_EQUAL, right, left);
            case "|" -> call(ScriptFunction.BIT_OR, left, right);
            case "#" -> call(ScriptFunction.BIT_XOR, left, right);
            case "&" -> call(ScriptFunction.BIT_AND, left, right);
            case "<<" -> call(ScriptFunction.SHIFT_LEFT, left, right);
            case ">>" -> call(ScriptFunction.SHIFT_RIGHT, left, right);
            case "+" -> call(ScriptFunction.ADD, left, right);
            case "-" -> call(ScriptFunction.SUBTRACT, left, right);
            case "*" -> call(ScriptFunction.MULTIPLY, left, right);
            case "/" -> call(ScriptFunction.DIVIDE, left, right);
            default -> call(ScriptFunction.MOD, left, right);
        };
    }

    private static Expression call(ScriptFunction function, Expression... arguments) {
        return new Call(function, List.of(arguments));
    }

    /** {@code is [not] null}, {@code is [not] true}, {@code isnull}, {@code notnull} after an operand. */
    private Expression is(Expression left) throws ExpressionException {
        String first = word;
        advance();
        if (!first.equals("is")) {
            Expression isNull = call(ScriptFunction.IS, left, Constant.NULL);
            return first.equals("isnull") ? isNull : call(ScriptFunction.NOT, isNull);
        }
        boolean isNegated = isWord("not");
        if (isNegated) {
            advance();
        }
        Constant right = constant();
        if (right == null) {
            throw unexpected();
        }
        advance();
        Expression is = call(ScriptFunction.IS, left, right);
        return isNegated ? call(ScriptFunction.NOT, is) : is;
    }

    /** The constant that the token is a word for; null if it is another token. */
    private @Nullable Constant constant() {
        if (token != Token.WORD) {
            return null;
        }
        return switch (word) {
            case "null" -> Constant.NULL;
            case "true" -> Constant.TRUE;
            case "false" -> Constant.FALSE;
            default -> null;
        };
    }

    private Expression operand() throws ExpressionException {
        switch (token) {
            case OPERATOR -> {
                return prefixed();
            }
            case VARIABLE -> {
                Expression variable = variable(word);
                advance();
                return variable;
            }
            case INTEGER -> {
                Expression integer = integer(word);
                advance();
                return integer;
            }
            case REAL -> {
                Expression real = real();
                advance();
                return real;
            }
            case WORD -> {
                return ofWord();
            }
            default -> throw unexpected();
        }
    }

    private Expression prefixed() throws ExpressionException {
        String operator = word;
        switch (operator) {
            case "(" -> {
                advance();
                Expression inner = expression(OR);
                take(")");
                return inner;
            }
            case "+" -> {
                advance();
                return expression(SIGN);
            }
            case "-" -> {
                advance();
                if (token == Token.INTEGER && word.equals(AFTER_GREATEST)) {
                    advance();
                    return Constant.of(Long.MIN_VALUE);
                }
                return call(ScriptFunction.SUBTRACT, Constant.of(0), expression(SIGN));
            }
            case "~" -> {
                advance();
                return call(ScriptFunction.BIT_XOR, Constant.of(-1), expression(BITS + 1));
            }
            default -> throw unexpected();
        }
    }

    private void take(String operator) throws ExpressionException {
        if (token != Token.OPERATOR || !word.equals(operator)) {
            throw unexpected();
        }
        advance();
    }

    private Expression variable(String name) {
        return new Variable(name, slots.applyAsInt(name));
    }

    private Expression integer(String digits) throws ExpressionException {
        try {
            return Constant.of(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            throw new ExpressionException("bigint constant overflow (" + digits + ")", start);
        }
    }

    private Expression real() throws ExpressionException {
        double value = Double.parseDouble(word);
        if (Double.isInfinite(value)) {
            throw new ExpressionException("double constant overflow (" + word + ")", start);
        }
        return Constant.of(value);
    }

    private Expression ofWord() throws ExpressionException {
        Constant constant = constant();
        if (constant != null) {
            advance();
            return constant;
        }
        return switch (word) {
            case "not" -> {
                advance();
                yield call(ScriptFunction.NOT, expression(NOT));
            }
            case "case" -> caseExpression();
            case "and", "or", "is", "isnull", "notnull", "when", "then", "else", "end" -> throw unexpected();
            default -> function();
        };
    }

    private Expression caseExpression() throws ExpressionException {
        advance();
        List<Expression> parts = new ArrayList<>();
        do {
            takeWord("when");
            parts.add(expression(OR));
            takeWord("then");
            parts.add(expression(OR));
        } while (isWord("when"));
        if (isWord("else")) {
            advance();
            parts.add(expression(OR));
        } else {
            parts.add(Constant.NULL);
        }
        takeWord("end");
        return new Call(ScriptFunction.CASE, parts);
    }

    private boolean isWord(String expected) {
        return token == Token.WORD && word.equals(expected);
    }

    private void takeWord(String expected) throws ExpressionException {
        if (!isWord(expected)) {
            throw unexpected();
        }
        advance();
    }

    private Expression function() throws ExpressionException {
        int at = start;
        String name = word;
        ScriptFunction function = ScriptFunction.named(name)
                .orElseThrow(() -> new ExpressionException("unexpected function name (" + name + ")", at));
        advance();
        take("(");
        List<Expression> arguments = new ArrayList<>();
        if (!(token == Token.OPERATOR && word.equals(")"))) {
            arguments.add(expression(OR));
            while (token == Token.OPERATOR && word.equals(",")) {
                advance();
                arguments.add(expression(OR));
            }
        }
        String wrong = function.wrongCount(arguments.size());
        if (!wrong.isEmpty()) {
            throw new ExpressionException(wrong + " (" + name + ")", at);
        }
        take(")");
        if (function.hasSeed() && function.wrongCount(arguments.size() + 1).isEmpty()) {
            arguments.add(variable(Script.DEFAULT_SEED));
        }
        return new Call(function, arguments);
    }

    /** Reads the next token. A backslash at the end of a line continues it. */
    private void advance() throws ExpressionException {
        skipSpace();
        start = next;
        if (next >= end) {
            token = Token.END;
            word = "";
            return;
        }
        char c = text.charAt(next);
        if (c == ':' && isName(next + 1, true)) {
            take(Token.VARIABLE, nameEnd(next + 1));
            word = word.substring(1);
        } else if (isDigit(next) || (c == '.' && isDigit(next + 1))) {
            int numberEnd = numberEnd();
            boolean isInteger = text.substring(next, numberEnd).chars().allMatch(each -> each >= '0' && each <= '9');
            take(isInteger ? Token.INTEGER : Token.REAL, numberEnd);
        } else if (isName(next, false)) {
            take(Token.WORD, nameEnd(next));
            word = word.toLowerCase(Locale.ROOT);
        } else {
            operator(c);
        }
    }

    private void operator(char c) throws ExpressionException {
        String two = text.substring(next, Math.min(next + 2, end));
        if (List.of("<=", ">=", "<>", "!=", "<<", ">>").contains(two)) {
            take(Token.OPERATOR, next + 2);
            word = two.equals("!=") ? "<>" : two;
        } else if ("+-*/%()<>=,|&#~".indexOf(c) >= 0) {
            take(Token.OPERATOR, next + 1);
        } else {
            throw new ExpressionException("unexpected character (" + c + ")", next);
        }
    }

    private void take(Token kind, int tokenEnd) {
        token = kind;
        word = text.substring(next, tokenEnd);
        next = tokenEnd;
    }

    private void skipSpace() {
        while (next < end) {
            int continued = ScriptText.continuation(text, next);
            if (continued > next) {
                next = continued;
            } else if (ScriptText.isSpace(text.charAt(next))) {
                next++;
            } else {
                return;
            }
        }
    }

    private boolean isDigit(int at) {
        return at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    /** Whether a character can begin a name; after a colon, a digit can, too. */
    private boolean isName(int at, boolean isVariable) {
        return at < end && ScriptText.isName(text.charAt(at), !isVariable);
    }

    private int nameEnd(int from) {
        int at = from;
        while (at < end && ScriptText.isName(text.charAt(at), false)) {
            at++;
        }
        return at;
    }

    private int numberEnd() {
        int at = digitsEnd(next);
        if (at < end && text.charAt(at) == '.') {
            at = digitsEnd(at + 1);
        }
        if (at < end && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int sign = at + 1 < end && (text.charAt(at + 1) == '+' || text.charAt(at + 1) == '-') ? at + 2 : at + 1;
            if (isDigit(sign)) {
                at = digitsEnd(sign);
            }
        }
        return at;
    }

    private int digitsEnd(int from) {
        int at = from;
        while (isDigit(at)) {
            at++;
        }
        return at;
    }
}
