package io.pgstress.operation.custom;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Before the load, has the server cast all values of a parameter to the type that it infers. Otherwise a value of the
 * wrong type would fail at each execution, during the measurement.
 */
final class FitCheck {
    /** Types that accept any text. */
    private static final Set<String> ANY_TEXT = Set.of("text", "varchar", "bpchar", "name", "unknown");

    /** Characters sent per statement, to limit memory use. */
    private static final int PORTION = 1 << 20;

    private final Connection control;

    FitCheck(Connection control) {
        this.control = control;
    }

    /** @throws SQLException if the server rejects a value */
    void check(List<String> values, String type) throws SQLException {
        if (ANY_TEXT.contains(type)) {
            return;
        }
        List<String> portion = new ArrayList<>();
        int characters = 0;
        for (String value : values) {
            portion.add(value);
            characters += value.length() + Long.BYTES;
            if (characters > PORTION) {
                take(portion, type);
                portion.clear();
                characters = 0;
            }
        }
        take(portion, type);
    }

    private void take(List<String> values, String type) throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        try (PreparedStatement statement =
                control.prepareStatement("select count(cast(v as " + type + ")) from unnest(?::text[]) v")) {
            statement.setArray(1, control.createArrayOf("text", values.toArray()));
            statement.executeQuery().close();
        }
    }
}
