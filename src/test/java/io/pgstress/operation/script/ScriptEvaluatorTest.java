package io.pgstress.operation.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.script.Expression.ValueType;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptCommand.Assign;
import io.pgstress.plan.script.ScriptParser;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Expressions have the values, and the errors, that pgbench has. */
final class ScriptEvaluatorTest {
    /** As of {@code -D}. */
    private static final Map<String, String> DEFINED = Map.ofEntries(
            Map.entry("foo", "-10.1"),
            Map.entry("bla", "false"),
            Map.entry("i", "+3"),
            Map.entry("n", "null"),
            Map.entry("t", "t"),
            Map.entry("f", "of"),
            Map.entry("d", "1.0"),
            Map.entry("ten", "10"),
            Map.entry("zero_int", "0"),
            Map.entry("bad", "bla"),
            Map.entry("badtrue", "trueXXX"),
            Map.entry("empty", ""),
            Map.entry("spaces", " 5 "),
            Map.entry("maxint", "9223372036854775807"),
            Map.entry("minint", "-9223372036854775808"));

    private static final Map<String, Long> GIVEN =
            Map.of(Script.SCALE, 1L, Script.CLIENT_ID, 0L, Script.RANDOM_SEED, 5432L, Script.DEFAULT_SEED, 99L);

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/pgbench-expressions.txt", delimiterString = " => ")
    void expressionIsAsInPgbench(String expression, String expected) {
        assertThat(result(expression)).isEqualTo(expected);
    }

    private static String result(String expression) {
        Script script;
        try {
            script = ScriptParser.parse("\\set result " + expression + "\n", "my.sql");
        } catch (InvalidPlanException e) {
            return "refused "
                    + e.problems().get(0).replaceFirst("my.sql:1:\\d+: ", "").replaceFirst(" in command.*", "");
        }
        ScriptVariables variables = new ScriptVariables(script.slots().size());
        script.slots().forEach((name, slot) -> {
            if (DEFINED.containsKey(name)) {
                variables.setText(slot, DEFINED.get(name));
            } else if (GIVEN.containsKey(name)) {
                variables.setInteger(slot, GIVEN.get(name));
            }
        });
        ScriptEvaluator evaluator = new ScriptEvaluator(variables, new ScriptRandom(1));
        Assign assign = (Assign) script.commands().get(0);
        try {
            evaluator.compute(assign.value());
        } catch (ScriptFailure e) {
            return "error " + e.getSQLState();
        }
        int slot = assign.variable().slot();
        variables.set(slot, evaluator.type(), evaluator.integer(), evaluator.real());
        return evaluator.type() == ValueType.NULL ? "null" : evaluator.type().label() + " " + variables.text(slot);
    }
}
