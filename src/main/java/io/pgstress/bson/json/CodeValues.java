package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** JavaScript code, with and without scope, and the deprecated symbol: strings in wrappers. */
final class CodeValues {
    private static final byte[] CODE = Token.of("{'$code':");
    private static final byte[] SCOPE = Token.of(",'$scope':");
    private static final byte[] SYMBOL = Token.of("{'$symbol':");

    private CodeValues() {}

    static int code(Conversion c, int at) {
        c.out.put(CODE);
        int next = c.string(at);
        c.out.put('}');
        return next;
    }

    static int symbol(Conversion c, int at) {
        c.out.put(SYMBOL);
        int next = c.string(at);
        c.out.put('}');
        return next;
    }

    /** Writes the code and opens the scope, whose frame also closes the wrapper. */
    static int codeWithScope(Conversion c, int at) {
        if (!c.holds(at, 4)) {
            return c.fail(Fault.VALUE_END, at);
        }
        int size = Bytes.intAt(c.source, at);
        if (size < 0 || !c.holds(at, size)) {
            return c.fail(Fault.SCOPE_LENGTH, at);
        }
        c.out.put(CODE);
        int scope = c.string(at + 4);
        if (scope < 0) {
            return scope;
        }
        c.out.put(SCOPE);
        int next = c.open(Frames.SCOPE, scope);
        return next >= 0 && c.limit + 1 != at + size ? c.fail(Fault.SCOPE_LENGTH, at) : next;
    }
}
