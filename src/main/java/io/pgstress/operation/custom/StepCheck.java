package io.pgstress.operation.custom;

import io.pgstress.operation.custom.ClientSteps.ClientStep;
import io.pgstress.operation.custom.ParameterValue.TableChoice;
import io.pgstress.operation.custom.ValueSource.Draws;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.StatementProbe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Has the server parse each step before the load, with the parameter types that the load will use. */
final class StepCheck {
    private static final String INDETERMINATE_TYPE = "42P18";
    private static final Pattern NUMBER = Pattern.compile("\\$(\\d+)");

    /** Types that accept any text. */
    private static final Set<String> ANY_TEXT = Set.of("text", "varchar", "bpchar", "name", "unknown");

    /** Characters sent per statement, to limit memory use. */
    private static final int PORTION = 1 << 20;

    private final CustomOperation asked;
    private final List<Sql> statements;

    private final Map<String, ParameterValue> values = new LinkedHashMap<>();

    StepCheck(CustomOperation asked, List<Sql> statements, Map<String, ValueSource> sources) {
        this.asked = asked;
        this.statements = statements;
        sources.forEach(
                (name, source) -> values.put(name, source.forClient(new Draws(0, 0, 1, 0, 0, new TableChoice()))));
        values.values().forEach(ParameterValue::draw);
        asked.steps().forEach(s -> s.keep().keySet().forEach(k -> values.put(k, new ParameterValue.Kept())));
    }

    /**
     * Returns the columns of a step's result and the types of its parameters.
     *
     * @throws InvalidPlanException if the server rejects the step, if a parameter's values are not of the type that the
     *     server infers, or if a column to keep is missing
     * @throws SQLException as by {@link #refused}
     */
    StatementProbe.Described described(int number, Connection control) throws SQLException {
        CustomStep step = asked.steps().get(number);
        try {
            StatementProbe probe = new StatementProbe(control, statements.get(number));
            for (int p = 0; p < step.sql().names().size(); p++) {
                ClientStep.value(values, step, p).bind(probe.parameters(), p + 1);
            }
            StatementProbe.Described found = probe.describe();
            checkValues(step, found.types(), control);
            List<String> columns = found.columns();
            for (String column : step.keep().values()) {
                if (!columns.contains(column)) {
                    throw new InvalidPlanException(step.source()
                            .message("its result has no column '" + column + "' to keep" + Nearest.hint(column, columns)
                                    + (columns.isEmpty()
                                            ? " (it has no result)"
                                            : " (it has " + String.join(", ", columns) + ")")));
                }
            }
            return found;
        } catch (SQLException e) {
            throw refused(step.source(), untyped(step, e), e);
        }
    }

    /**
     * The error for SQL of a user's file that the server rejects.
     *
     * @param what the text before the server's message
     * @throws SQLException the failure itself if the file is not its cause: it is shipped, or the connection is lost
     */
    static InvalidPlanException refused(Source source, String what, SQLException e) throws SQLException {
        if (source.isShipped() || ServerErrors.isConnectionLost(e)) {
            throw e;
        }
        return new InvalidPlanException(source.message(what + ServerErrors.sampleWithState(e)));
    }

    /** The server reports a parameter of unknown type by number; this message gives its name in the file and a remedy. */
    private static String untyped(CustomStep step, SQLException e) {
        Matcher number = NUMBER.matcher(ServerErrors.sampleOf(e));
        if (!ServerErrors.stateOf(e).equals(INDETERMINATE_TYPE) || !number.find()) {
            return "";
        }
        String name = step.sql().names().get(Integer.parseInt(number.group(1)) - 1);
        return "give the type of parameter ':" + name + "', such as :" + name + "::text: ";
    }

    private void checkValues(CustomStep step, List<String> types, Connection control) throws SQLException {
        for (int p = 0; p < types.size(); p++) {
            try {
                checkFit(control, ClientStep.value(values, step, p).untyped(), types.get(p));
            } catch (SQLException e) {
                String name = step.sql().names().get(p);
                throw refused(
                        step.source(), "parameter ':" + name + "' must be of type " + types.get(p) + " here: ", e);
            }
        }
    }

    /**
     * Has the server cast all values of a parameter to the type that it infers. Otherwise a value of the wrong type would fail at
     * each execution, during the measurement.
     *
     * @throws SQLException if the server rejects a value
     */
    private static void checkFit(Connection control, List<String> values, String type) throws SQLException {
        if (ANY_TEXT.contains(type)) {
            return;
        }
        List<String> portion = new ArrayList<>();
        int characters = 0;
        for (String value : values) {
            portion.add(value);
            characters += value.length() + Long.BYTES;
            if (characters > PORTION) {
                cast(control, portion, type);
                portion.clear();
                characters = 0;
            }
        }
        cast(control, portion, type);
    }

    private static void cast(Connection control, List<String> values, String type) throws SQLException {
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
