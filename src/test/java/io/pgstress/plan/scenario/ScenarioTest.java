package io.pgstress.plan.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.OperationCatalog;
import io.pgstress.plan.OperationKind;
import io.pgstress.plan.Phases;
import io.pgstress.plan.PoolSpec;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.testing.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ScenarioTest {
    private static final RunSpecReader READER = Runs.reader(
            new OperationCatalog(
                    Stream.of("find_first", "find_update", "find")
                            .map(name -> (OperationKind) () -> List.of(name))
                            .toList(),
                    List.of(),
                    options -> List.of()),
            List.of("hikari", "c3p0", "none"),
            List.of("auto", "postgresql", "citus"));

    private static Scenario scenario(String... lines) {
        return expand(ScenarioReader.read(String.join("\n", lines) + "\n"));
    }

    private static Scenario expand(ScenarioDraft draft) {
        return new ScenarioExpansion(READER, Purpose.BLOCK).expand(draft);
    }

    private static List<String> problems(String... lines) {
        try {
            scenario(lines);
        } catch (InvalidPlanException e) {
            return e.problems();
        }
        throw new AssertionError("nothing is wrong with it");
    }

    private static RunSpec spec(Scenario scenario, String variant) {
        return scenario.workloads().get(0).variants().stream()
                .filter(v -> v.name().equals(variant))
                .findFirst()
                .orElseThrow()
                .spec();
    }

    @Test
    void refusesAVariantWithoutServersIfOthersNameThem() {
        assertThat(problems(
                        "variants:",
                        "  single: {url: 'jdbc:postgresql://a/d', table: t}",
                        "  other: {statement: plain}"))
                .containsExactly("line 3: variants.other: has no url or server, and others have: name its server too");
    }

    @Test
    void omitsDefaultsWithoutEffect() {
        Scenario stepped = scenario(
                "base: {url: 'jdbc:postgresql://a/d', table: t, rate: '100,200', step: 3s, warmup-executions: 0}",
                "vary: {statement: [prepared, plain]}");
        assertThat(spec(stepped, "plain").phases().measure()).isEqualTo(Duration.ofSeconds(6));
        assertThat(spec(stepped, "plain").phases().warmup()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void refusesToVaryWhatMayBeASecret() {
        assertThat(problems(
                        "base: {url: 'jdbc:postgresql://a/d', table: t}", "vary: {password-command: [echo a, echo b]}"))
                .anySatisfy(p -> assertThat(p).contains("must be the same for all variants"))
                .noneSatisfy(p -> assertThat(p).contains("echo"));
    }

    @Test
    void refusesAPoolSizeWithoutAPool() {
        String told = "has no effect without a pool";
        assertThat(problems("base: {pool-size: 4}", "vary: {statement: [prepared, plain]}"))
                .singleElement()
                .satisfies(p -> assertThat(p).startsWith("line 1: base.pool-size: " + told));
        assertThat(problems("vary:", "  pool: [hikari, none]", "  pool-size: [4, 8]"))
                .isNotEmpty()
                .allSatisfy(p -> assertThat(p).startsWith("line 3: vary.pool-size: " + told));
    }

    @Test
    void poolSizeOfTheBaseAppliesToVariantsWithAPool() {
        Scenario scenario = scenario("base: {pool-size: 4}", "vary: {pool: [hikari, c3p0, none]}");

        assertThat(spec(scenario, "hikari").pool()).isEqualTo(new PoolSpec("hikari", 4));
        assertThat(spec(scenario, "c3p0").pool()).isEqualTo(new PoolSpec("c3p0", 4));
        assertThat(spec(scenario, "none").pool()).isEqualTo(new PoolSpec("none", 0));
    }

    @Test
    void blockOfAFiniteOperationIsAllOfIt() {
        OperationKind load = new OperationKind() {
            @Override
            public List<String> names() {
                return List.of("load");
            }

            @Override
            public boolean isSelfContained() {
                return true;
            }

            @Override
            public boolean isFinite() {
                return true;
            }
        };
        RunSpecReader reader = Runs.reader(
                new OperationCatalog(List.of(load), List.of(), options -> List.of()), List.of("none"), List.of("auto"));

        Scenario scenario = new ScenarioExpansion(reader, Purpose.BLOCK)
                .expand(ScenarioReader.read("base: {op: load}\nvary: {statement: [prepared, plain]}\n"));

        Phases phases = spec(scenario, "plain").phases();
        assertThat(phases.measure()).isGreaterThan(Duration.ofHours(999));
        assertThat(phases.warmup()).isZero();
        assertThat(phases.warmupExecutions()).isZero();
    }

    @Test
    void variantsChangeTheBase() {
        Scenario scenario = scenario(
                "name: modes",
                "base:",
                "  op: [find_first:3, find_update:1]",
                "  clients: 80",
                "  set: {work_mem: 64MB, jit: off}",
                "variants:",
                "  plain: {statement: plain, set: {jit: on}}",
                "  prepared:",
                "baseline: prepared",
                "rounds: 20",
                "margin: 2%",
                "fail-if: [p99>+5%, ops<-3%]");

        assertThat(scenario.workloads().get(0).variants())
                .extracting(Variant::name)
                .containsExactly("prepared", "plain");
        RunSpec plain = spec(scenario, "plain");
        assertThat(plain.statement()).isEqualTo(StatementMode.PLAIN);
        assertThat(plain.mixLabel()).isEqualTo("find_first:3,find_update:1");
        assertThat(plain.load().clients()).isEqualTo(80);
        assertThat(plain.settings()).containsExactly(Map.entry("work_mem", "64MB"), Map.entry("jit", "on"));
        assertThat(plain.phases().measure()).isEqualTo(Duration.ofSeconds(5));
        assertThat(spec(scenario, "prepared").settings()).containsEntry("jit", "off");
        assertThat(scenario.effort()).isEqualTo(new Effort(20, 0, Duration.ofHours(1), 0.02, 0, 1));
        assertThat(scenario.limits()).containsExactly(new Limit("p99", true, 0.05), new Limit("ops", false, -0.03));
    }

    @Test
    void limitAcceptsTheNamesOfRunLimits() {
        assertThat(Limit.parse("ops/s<-3%")).isEqualTo(Limit.parse("ops<-3%"));
        assertThat(Limit.parse("p99.9>+5%")).isEqualTo(Limit.parse("p999>+5%"));
        assertThat(Limit.parse("ops<-3%").text()).isEqualTo("ops/s<-3%");
        assertThat(Limit.parse("p99.9>+50%").text()).isEqualTo("p99.9>+50%");
    }

    @Test
    void matrixCombinesAllValues() {
        Scenario scenario = scenario("vary:", "  statement: [prepared, plain]", "  pool: [hikari, c3p0, none]");

        assertThat(scenario.workloads().get(0).variants())
                .extracting(Variant::name)
                .hasSize(6)
                .startsWith("statement=prepared pool=hikari")
                .endsWith("statement=plain pool=none");
        assertThat(spec(scenario, "statement=plain pool=c3p0").pool().kind()).isEqualTo("c3p0");
        assertThat(scenario.baseline()).isEqualTo("statement=prepared pool=hikari");
    }

    @Test
    void comparesARepeatedValueWithItself() {
        assertThat(scenario("vary: {statement: [plain, plain]}")
                        .workloads()
                        .get(0)
                        .variants())
                .extracting(Variant::name)
                .containsExactly("plain", "plain #2");
    }

    @Test
    void eachWorkloadHasAllVariants() {
        Scenario scenario = scenario(
                "base: {clients: 80}",
                "workloads:",
                "  first: {op: find_first}",
                "  many: {op: find, clients: 15}",
                "vary: {statement: [extended, plain]}");

        assertThat(scenario.workloads()).extracting(Workload::name).containsExactly("first", "many");
        assertThat(scenario.workloads().get(1).variants())
                .extracting(v -> v.spec().load().clients())
                .containsExactly(15, 15);
    }

    @Test
    void selectsServersByNumber() {
        ScenarioDraft draft = ScenarioReader.read("base: {table: t}\nvary:\n  servers: ['1', 2-3, all, '1,3-']\n")
                .with(
                        Map.of("url", List.of("jdbc:postgresql:a", "jdbc:postgresql:b", "jdbc:postgresql:c")),
                        Map.of(),
                        Map.of());
        Scenario scenario = expand(draft);

        assertThat(spec(scenario, "1").endpoints()).hasSize(1);
        assertThat(spec(scenario, "2-3").endpoints())
                .extracting(Endpoint::url)
                .containsExactly("jdbc:postgresql:b", "jdbc:postgresql:c");
        assertThat(spec(scenario, "all").endpoints()).hasSize(3);
        assertThat(spec(scenario, "1,3-").endpoints()).hasSize(2);
        ScenarioDraft none = draft.with(Map.of("url", List.of()), Map.of(), Map.of());
        assertThatExceptionOfType(InvalidPlanException.class)
                .isThrownBy(() -> expand(none))
                .withMessageContaining("line 3: vary.servers: selects servers, but no --url is given");
        ScenarioDraft few = draft.with(Map.of("url", List.of("jdbc:postgresql:a")), Map.of(), Map.of());
        assertThatExceptionOfType(InvalidPlanException.class)
                .isThrownBy(() -> expand(few))
                .withMessageContaining("line 3: vary.servers: names server 2, but 1 url is given");
    }

    @Test
    void commandLineOverridesOnlyTheBase() {
        ScenarioDraft draft = ScenarioReader.read(
                        "base: {clients: 80, op: find}\nvariants: {a: {}, b: {clients: 5}}\nrounds: 9\n")
                .with(Map.of("clients", List.of("4")), Map.of(), Map.of("rounds", List.of("3")));
        Scenario scenario = expand(draft);

        assertThat(spec(scenario, "a").load().clients()).isEqualTo(4);
        assertThat(spec(scenario, "b").load().clients()).isEqualTo(5);
        assertThat(scenario.effort().rounds()).isEqualTo(3);
        Scenario varied = expand(draft.with(Map.of(), Map.of("pool", List.of("none", "c3p0")), Map.of()));
        assertThat(varied.workloads().get(0).variants())
                .extracting(Variant::name)
                .containsExactly("none", "c3p0");
    }

    @Test
    void threadsIsAnotherNameOfClients() {
        Scenario scenario = scenario("base: {threads: 80}", "variants:", "  a: {}", "  b: {clients: 5}");
        assertThat(spec(scenario, "a").load().clients()).isEqualTo(80);
        assertThat(spec(scenario, "b").load().clients()).isEqualTo(5);
        assertThat(scenario("vary: {threads: [2, 3]}").first().options().texts())
                .containsKey("clients");
        assertThat(problems("base: {threads: 4, clients: 5}", "vary: {statement: [plain]}"))
                .containsExactly("line 1: base.clients: is given twice, under two names; leave one out");
    }

    @Test
    void reportsAllProblemsWithTheirLines() {
        assertThat(problems(
                        "base:",
                        "  cleints: 80",
                        "  op: find_frist",
                        "variants:",
                        "  a: {}",
                        "  b:",
                        "    statement: plane",
                        "    duration: 3s",
                        "until: x",
                        "baseline: c",
                        "fail-if: p98>+5%"))
                .satisfiesExactlyInAnyOrder(
                        p -> assertThat(p)
                                .startsWith("line 2: base.cleints: is not an option; did you mean 'clients'?"),
                        p -> assertThat(p)
                                .startsWith("line 3: base.op: 'find_frist'")
                                .contains("'find_first'"),
                        p -> assertThat(p)
                                .startsWith("line 7: variants.b.statement: must be one of")
                                .contains("did you mean 'plain'?"),
                        p -> assertThat(p).startsWith("line 8: variants.b.duration: must be the same for all variants"),
                        p -> assertThat(p).startsWith("line 9: until: must be a share such as 2%"),
                        p -> assertThat(p).startsWith("line 10: baseline: 'c' is not a variant"),
                        p -> assertThat(p).startsWith("line 11: fail-if: 'p98' is not measured; did you mean 'p9"));
    }

    @Test
    void problemAtTheTopDoesNotHideOneInTheBase() {
        assertThat(problems("rouns: 3", "base: {cleints: 3, op: find_frist}", "margn: 2%", "vary: {statment: [plain]}"))
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo("line 1: rouns: is not part of a scenario; did you mean 'rounds'?"),
                        p -> assertThat(p)
                                .startsWith("line 2: base.cleints: is not an option; did you mean 'clients'?"),
                        p -> assertThat(p).startsWith("line 2: base.op: 'find_frist'"),
                        p -> assertThat(p)
                                .isEqualTo("line 3: margn: is not part of a scenario; did you mean 'margin'?"),
                        p -> assertThat(p)
                                .startsWith("line 4: vary.statment: is not an option; did you mean 'statement'?"));
    }

    @Test
    void reportsSyntaxProblemsWithTheirLines() {
        assertThat(problems("base: [1]", "rouns: 3", "hooks:", "  resett: x", "vary: {pool: [{a: {b: 1}}]}"))
                .satisfiesExactlyInAnyOrder(
                        p -> assertThat(p)
                                .startsWith("line 1: base: must be a mapping")
                                .contains("a list"),
                        p -> assertThat(p)
                                .isEqualTo("line 2: rouns: is not part of a scenario; did you mean 'rounds'?"),
                        p -> assertThat(p).isEqualTo("line 4: hooks.resett: is not a hook; did you mean 'reset'?"),
                        p -> assertThat(p).startsWith("line 5: vary.pool.a: must be a single value here"));
        assertThat(problems("variants: {a: }", "vary: {pool: [none]}"))
                .containsExactly("vary: either variants or vary, not both");
    }

    @Test
    void hooksAreOneOrSeveralStatements() {
        Hooks hooks = scenario("hooks:", "  setup: [select 1, select 2]", "  reset: |", "    checkpoint;")
                .hooks();

        assertThat(hooks).isEqualTo(new Hooks(List.of("select 1", "select 2"), List.of("checkpoint;\n"), List.of()));
    }
}
