package io.pgstress.target.statement;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The parameters of a statement, kept to be set on other statements. Not thread-safe. */
final class Captured {
    private final TreeMap<Integer, Parameter> parameters = new TreeMap<>();

    /** Sets one parameter. */
    @FunctionalInterface
    interface Setter {
        void set(SqlStatement statement, int parameter) throws SQLException;
    }

    private record Parameter(String type, Setter setter) {}

    /** @param type the SQL type that the driver announces */
    void set(int parameter, String type, Setter setter) {
        parameters.put(parameter, new Parameter(type, setter));
    }

    /** The types, in the order of the parameters. */
    List<String> types() {
        List<String> types = new ArrayList<>();
        parameters.values().forEach(p -> types.add(p.type));
        return types;
    }

    /** Sets all parameters. */
    void setOn(SqlStatement statement) throws SQLException {
        for (var parameter : parameters.entrySet()) {
            parameter.getValue().setter().set(statement, parameter.getKey());
        }
    }
}
