package io.pgstress.plan.server;

import java.util.Map;
import java.util.Optional;

/**
 * A connection parameter of libpq (PostgreSQL's manual, 34.1.2 and 34.15).
 *
 * @param keyword its name in connection strings and service files
 * @param variable its environment variable; an empty string: it has none, or the variable has no effect here
 * @param property the driver's property for it; an empty string: it is part of the URL, is ignored, or is refused
 * @param values its values, each with the driver's; empty: any, with the same for the driver
 * @param refusal why it cannot be used; an empty string: it can
 */
record LibpqParameter(String keyword, String variable, String property, Map<String, String> values, String refusal) {
    /** Why it cannot be used. */
    Optional<String> objection() {
        return refusal.isEmpty() ? Optional.empty() : Optional.of(keyword + " cannot be used: " + refusal);
    }

    /**
     * The driver's value.
     *
     * @throws IllegalArgumentException if this is not one of its values
     */
    String driversValue(String value) {
        if (keyword.equals("connect_timeout")) {
            return seconds(value);
        }
        String drivers = values.isEmpty() ? value : values.get(value);
        if (drivers == null) {
            throw new IllegalArgumentException(keyword + " must be one of "
                    + String.join(", ", values.keySet().stream().sorted().toList()) + ", was '" + value + "'");
        }
        return drivers;
    }

    /** Without a limit if it is 0 or less, as with libpq. */
    private String seconds(String value) {
        try {
            return Integer.toString(Math.max(0, Integer.parseInt(value.trim())));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(keyword + " must be a whole number of seconds, was '" + value + "'", e);
        }
    }
}
