package io.pgstress.plan;

/**
 * One host's share of the numbers that several hosts hand out: counted from a common start, those with the remainder {@code
 * part - 1} when divided by {@code of}.
 *
 * @param part from 1 to {@code of}
 */
public record IdSlice(int part, int of) {
    /** All numbers. */
    public static final IdSlice ALL = new IdSlice(1, 1);

    public IdSlice {
        if (part < 1 || part > of) {
            throw new IllegalArgumentException("must be i/n with i from 1 to n, was " + part + "/" + of);
        }
    }

    /**
     * Reads {@code 2/4}.
     *
     * @throws IllegalArgumentException if it has another form
     */
    public static IdSlice parse(String text) {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length != 2) {
                throw new NumberFormatException("parts: " + parts.length);
            }
            return new IdSlice(Integer.parseInt(parts[0].trim()), Integer.parseInt(parts[1].trim()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be i/n such as 2/4, was '" + text + "'", e);
        }
    }

    /** The difference between a client's consecutive numbers. */
    public long stride(int clients) {
        return (long) clients * of;
    }

    /** A client's first number, counted from 0. */
    public long first(int client) {
        return (long) client * of + part - 1;
    }
}
