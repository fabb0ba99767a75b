package io.pgstress.bson.json;

/** Values written as a word or a fixed wrapper: booleans, null, undefined, MinKey and MaxKey. */
final class ConstantValues {
    private static final byte[] TRUE = Token.of("true");
    private static final byte[] FALSE = Token.of("false");
    private static final byte[] NULL = Token.of("null");
    private static final byte[] UNDEFINED = Token.of("{'$undefined':true}");
    private static final byte[] MIN_KEY = Token.of("{'$minKey':1}");
    private static final byte[] MAX_KEY = Token.of("{'$maxKey':1}");

    private ConstantValues() {}

    static int bool(Conversion c, int at) {
        if (!c.holds(at, 1)) {
            return c.fail(Fault.VALUE_END, at);
        }
        byte value = c.source[at];
        if (value != 0 && value != 1) {
            return c.fail(Fault.BOOLEAN_VALUE, at);
        }
        c.out.put(value == 1 ? TRUE : FALSE);
        return at + 1;
    }

    static int nothing(Conversion c, int at) {
        c.out.put(NULL);
        return at;
    }

    static int undefined(Conversion c, int at) {
        c.out.put(UNDEFINED);
        return at;
    }

    static int minKey(Conversion c, int at) {
        c.out.put(MIN_KEY);
        return at;
    }

    static int maxKey(Conversion c, int at) {
        c.out.put(MAX_KEY);
        return at;
    }
}
