package io.pgstress.bson.timeseries;

/** A step in building an object of a sequence. */
final class Step {
    /** What a step does. */
    enum Kind {
        /** Begins an object or array. */
        OPEN,
        /** Ends it; removes it if it has no field, unless that of the reference object has none either. */
        CLOSE,
        /** Adds a field, unless its value is missing. */
        FIELD
    }

    private final Kind kind;
    private final int type;
    private final byte[] name;
    private final boolean mayBeEmpty;
    private final Values values;

    private Step(Kind kind, int type, byte[] name, boolean mayBeEmpty, Values values) {
        this.kind = kind;
        this.type = type;
        this.name = name;
        this.mayBeEmpty = mayBeEmpty;
        this.values = values;
    }

    /** Begins an object or array of this type and name. */
    static Step open(int type, byte[] name) {
        return new Step(Kind.OPEN, type, name, false, new Values());
    }

    /** Ends the object or array of this name. */
    static Step close(boolean mayBeEmpty, byte[] name) {
        return new Step(Kind.CLOSE, 0, name, mayBeEmpty, new Values());
    }

    /** Adds a field of this name. */
    static Step field(byte[] name, Values values) {
        return new Step(Kind.FIELD, 0, name, false, values);
    }

    Kind kind() {
        return kind;
    }

    /** The type of the object or array that begins. */
    int type() {
        return type;
    }

    byte[] name() {
        return name;
    }

    boolean mayBeEmpty() {
        return mayBeEmpty;
    }

    /** The values of the field. */
    Values values() {
        return values;
    }
}
