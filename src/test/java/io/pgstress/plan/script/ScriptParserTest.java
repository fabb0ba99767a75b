package io.pgstress.plan.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.script.ScriptCommand.Branch;
import io.pgstress.plan.script.ScriptCommand.Gather;
import io.pgstress.plan.script.ScriptCommand.Jump;
import io.pgstress.plan.script.ScriptCommand.Send;
import io.pgstress.plan.script.ScriptCommand.Sleep;
import io.pgstress.text.NamedSql;
import io.pgstress.text.SqlVerb;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts are read as pgbench reads them. */
final class ScriptParserTest {
    private static Script parse(String text) {
        return ScriptParser.parse(text, "my.sql");
    }

    private static List<String> problems(String text) {
        return catchThrowableOfType(InvalidPlanException.class, () -> parse(text))
                .problems();
    }

    private static List<String> sql(String text) {
        return parse(text).sends().stream().map(send -> send.sql().text()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "\\if 1 => 1:1: \\if without matching \\endif",
                "\\elif 1 => 1:1: \\elif without matching \\if",
                "\\else => 1:1: \\else without matching \\if",
                "\\endif => 1:1: \\endif without matching \\if",
                "\\if 1~\\else~\\elif 0~\\endif => 3:1: \\elif after \\else",
                "\\if 1~\\else~\\else~\\endif => 3:1: \\else after \\else",
                "\\if~\\endif => 1:4: syntax error at the end of the line in command \"if\"",
                "\\if 0~\\elif +~\\endif => 2:8: syntax error at the end of the line in command \"elif\"",
                "\\if 0~\\else BAD~\\endif => 2:7: unexpected argument in command \"else\"",
                "\\if 0~\\endif BAD => 2:8: unexpected argument in command \"endif\"",
                "select 1;~  \\set i 1 + => 2:13: syntax error at the end of the line in command \"set\"",
                "\\set i noSuch(1) => 1:8: unexpected function name (nosuch) in command \"set\"",
                "\\set i \\~ 1 \\~ ; => 3:2: unexpected character (;) in command \"set\"",
                "\\set . 1 => 1:6: invalid variable name: \".\"",
                "\\set => 1:1: missing argument in command \"set\"",
                "\\set i => 1:7: syntax error at the end of the line in command \"set\"",
                "\\sleep => 1:1: missing argument in command \"sleep\"",
                "\\sleep too many args => 1:17: too many arguments in command \"sleep\"",
                "\\sleep 1 week => 1:10: unrecognized time unit, must be us, ms or s (week) in command \"sleep\"",
                "\\sleep 1week => 1:8: unrecognized time unit, must be us, ms or s (week) in command \"sleep\"",
                "\\sleep x => 1:8: invalid sleep time, must be an integer (x) in command \"sleep\"",
                "\\gset => 1:1: \\gset must follow an SQL command",
                "\\set i 1~\\gset => 2:1: \\gset must follow an SQL command",
                "select 1 as i \\gset~\\aset => 2:1: \\aset must follow an SQL command",
                "select 1 \\gset a b => 1:18: too many arguments in command \"gset\"",
                "\\nosuchcommand => 1:1: invalid command \"nosuchcommand\"",
                "\\slep 1 => 1:1: invalid command \"slep\"; did you mean 'sleep'?",
                "\\shell echo => 1:1: \\shell is not supported: no programs are run",
                "\\setshell x echo => 1:1: \\setshell is not supported: no programs are run",
                "\\startpipeline => 1:1: \\startpipeline is not supported: there are no pipelines",
                "select 1;~\\endpipeline => 2:1: \\endpipeline is not supported: there are no pipelines",
                "\\syncpipeline => 1:1: \\syncpipeline is not supported: there are no pipelines",
            })
    void mistakesHaveTheirPlace(String text, String problem) {
        assertThat(problems(text.replace('~', '\n'))).containsExactly("my.sql:" + problem);
    }

    @Test
    void allMistakesAreReportedAtOnce() {
        assertThat(problems("\\set a 1 +\nselect 1;\n\\foo\n\\if 1\n"))
                .extracting(problem -> problem.replaceFirst(": .*", ""))
                .containsExactly("my.sql:1:11", "my.sql:3:1", "my.sql:4:1");
    }

    @Test
    void aScriptNeedsACommand() {
        assertThat(problems("")).containsExactly("my.sql: contains no command");
        assertThat(problems("-- nothing\n /* here */\n")).containsExactly("my.sql: contains no command");
    }

    @Test
    void statementsEndAtSemicolons() {
        assertThat(sql("""
                -- first
                begin; select ';', $$;$$, "a;b" -- ; in a comment
                  from t where (x = 1); /* ; */ insert into t
                  values (1)
                ; update t set x = 2
                """))
                .containsExactly(
                        "begin",
                        "select ';', $$;$$, \"a;b\" -- ; in a comment\n  from t where (x = 1)",
                        "/* ; */ insert into t\n  values (1)",
                        "update t set x = 2");
        assertThat(sql("create rule r as on insert to t do (select 1; select 2);"))
                .containsExactly("create rule r as on insert to t do (select 1; select 2)");
        assertThat(sql(";")).containsExactly("");
    }

    /** As psql's lexer counts since PostgreSQL 14. */
    @Test
    void statementsOfAFunctionsBodyBelongToItsDefinition() {
        String function =
                "create or replace function f(i int) returns int begin atomic select (1); select case when i > 0"
                        + " then 1 else 2 end; end";
        String procedure = "CREATE PROCEDURE p() BEGIN ATOMIC insert into t values (1); END";

        assertThat(sql(function + ";\n" + procedure + "; begin; select case when 1 = 1 then 2 end; end;"))
                .containsExactly(function, procedure, "begin", "select case when 1 = 1 then 2 end", "end");
        assertThat(sql("create table begin (end int); create function g() returns int as 'begin; end' language sql;"))
                .containsExactly(
                        "create table begin (end int)", "create function g() returns int as 'begin; end' language sql");
        assertThat(sql("select 1 \\; " + function + "; select 2;"))
                .containsExactly("select 1 ; " + function, "select 2");
        assertThat(SqlVerb.ofEach("select 1; " + function + "; commit"))
                .extracting(SqlVerb::word)
                .containsExactly("select", "create", "commit");
        assertThat(NamedSql.holdsSeveral(procedure + ";")).isFalse();
        assertThat(NamedSql.holdsSeveral(procedure + "; select 1")).isTrue();
    }

    @Test
    void aBackslashAloneIsNoCommand() {
        assertThat(sql("\\\nselect 1;\\\r\nselect 2;")).containsExactly("select 1", "select 2");
    }

    @Test
    void aCommentThatDoesNotEndIsNotIgnored() {
        assertThat(sql("select 1; /* a /* b */ */")).containsExactly("select 1");
        assertThat(sql("select 1; /* a /* b */ select 2;")).containsExactly("select 1", "/* a /* b */ select 2;");
    }

    @Test
    void filesThatAreNoTextAreRefused() {
        assertThat(problems("select 1;\ns\0e\0l\0"))
                .containsExactly("my.sql:2:2: has a NUL character, which SQL cannot have; scripts are text in UTF-8");
    }

    @Test
    void deepExpressionsAreRefused() {
        Script long400 = parse("\\set a 0" + " + 1".repeat(400) + "\n");
        assertThat(long400.undefined(Set.of())).isEmpty();
        assertThat(problems("\\set a 0" + " + 1".repeat(5000)))
                .containsExactly("my.sql:1:2004: more than 500 operators are nested in command \"set\"");
        assertThat(problems("\\set a " + "(".repeat(5000) + "1" + ")".repeat(5000)))
                .containsExactly("my.sql:1:508: more than 500 operators are nested in command \"set\"");
    }

    @Test
    void combinedStatementsAreOneCommand() {
        assertThat(sql("select 1 \\; select 2 \\; select 3;\n\\; select 4 \\gset"))
                .containsExactly("select 1 ; select 2 ; select 3", "; select 4");
    }

    @Test
    void variablesAreParametersOutsideQuotesAndComments() {
        Send send = parse("select :a, :b::int, ':c', \"d:e\", x[1:2], y ? :a -- :f\n;")
                .sends()
                .get(0);

        assertThat(send.sql().text()).isEqualTo("select ?, ?::int, ':c', \"d:e\", x[1:2], y ?? ? -- :f");
        assertThat(send.sql().names()).containsExactly("a", "b", "a");
        assertThat(send.slots()).containsExactly(0, 1, 0);
        assertThat(send.quoted()).extracting(Expression.Variable::name).containsExactly("c", "e");
        assertThat(send.parts()).containsExactly("select ", ", ", "::int, '", "', \"d", "\", x[1:2], y ? ", " -- ", "");
        assertThat(send.partSlots()).hasSize(6);
    }

    @Test
    void namesOfStatementsAreUnique() {
        assertThat(parse("begin; select a from t; select b from t; update s.t set a = 1; end; begin;")
                        .sends())
                .extracting(Send::name)
                .containsExactly("begin", "select_t", "select_t_2", "update_t", "end", "begin_2");
    }

    @Test
    void resultsAreStoredByThePrecedingStatement() {
        Script script = parse("select 1 as one \\gset\nselect 2 as two\n\\aset x_\nselect 3;");

        assertThat(script.sends())
                .extracting(Send::gather)
                .containsExactly(new Gather(false, ""), new Gather(true, "x_"), null);
    }

    @Test
    void conditionsAreJumps() {
        Script script = parse("""
                \\if 1
                select 1;
                \\elif 0
                select 2;
                \\else
                \\if :x
                select 3;
                \\endif
                \\endif
                select 4;
                """);

        assertThat(script.commands())
                .extracting(command -> command instanceof Branch branch
                        ? "if, else " + branch.otherwise()
                        : command instanceof Jump jump ? "to " + jump.to() : ((Send) command).name())
                .containsExactly(
                        "if, else 3",
                        "select",
                        "to 8",
                        "if, else 6",
                        "select_2",
                        "to 8",
                        "if, else 8",
                        "select_3",
                        "select_4");
    }

    @Test
    void sleepsHaveUnits() {
        assertThat(parse("\\sleep 2\n\\sleep 3ms\n\\sleep 4 us\n\\sleep :x MS\n")
                        .commands())
                .extracting(command -> {
                    Sleep sleep = (Sleep) command;
                    return (sleep.variable() == null
                                    ? sleep.number()
                                    : sleep.variable().name()) + " x " + sleep.unitMicros();
                })
                .containsExactly("2 x 1000000", "3 x 1000", "4 x 1", "x x 1000");
    }

    @Test
    void linesOfCommandsCanBeContinued() {
        Script script = parse("\\set a \\\n  1 + \\\r\n 2\n\\sleep \\\n 5 \\\n us\nselect :a;");

        assertThat(script.commands()).extracting(ScriptCommand::line).containsExactly(1, 4, 7);
    }

    @Test
    void variablesOfExpressionsNeedAValue() {
        Script script =
                parse("\\set a :scale + :b\n\\if :c\n\\set b :client_id + :a + :default_seed\n\\endif\n\\sleep :d\n"
                        + "select :e;");

        assertThat(script.undefined(Set.of("d")))
                .containsExactly("my.sql:2: undefined variable 'c'; give it a value with \\set or -D c=VALUE");
        assertThat(parse("select 1 as c \\gset\n\\set b :c").undefined(Set.of()))
                .isEmpty();
    }

    @Test
    void operationsAreCalledLikeTheirFiles() {
        Map<String, String> names = Map.of(
                "my.sql",
                "my",
                "/a/b/tpc.b.sql",
                "tpc_b",
                "noext",
                "noext",
                "a b,c:d.pgbench",
                "a_b_c_d",
                ".sql",
                "_sql");
        names.forEach((file, name) -> assertThat(Script.nameOf(file)).isEqualTo(name));
    }
}
