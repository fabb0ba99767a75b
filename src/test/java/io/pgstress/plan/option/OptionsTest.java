package io.pgstress.plan.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Options are read once, into typed values, and all problems are reported together. */
final class OptionsTest {
    private static final Option<Integer> COUNT =
            Option.of("count", "N", Forms.integer(1, 10)).byDefault("2");
    private static final Option<Duration> TIME =
            Option.of("time", "TIME", Durations::parse).byDefault("1s");
    private static final Option<Optional<String>> NAME = Option.optional("name", "NAME", Forms::text);
    private static final Option<Map<String, String>> SET = Option.pairs("set");
    private static final Option<Boolean> FAST = Option.flag("fast")
            .refusedIf(o -> o.get(OptionsTest.FAST) && o.isGiven(TIME) ? "has no effect with --time" : "");
    private static final List<Option<?>> ALL = List.of(COUNT, TIME, NAME, SET, FAST);

    private static Options read(Map<String, List<String>> given, Map<String, String> defaults) {
        Problems problems = new Problems();
        Options options = Options.read(ALL, given, defaults, problems);
        problems.throwIfAny();
        return options;
    }

    @Test
    void areTypedValues() {
        Options options = read(
                Map.of("count", List.of(" 1_0 "), "set", List.of("a=1", "b=x=y", "a=2"), "fast", List.of("true")),
                Map.of());

        assertThat(options.get(COUNT)).isEqualTo(10);
        assertThat(options.get(TIME)).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.get(NAME)).isEmpty();
        assertThat(options.get(SET)).containsExactly(Map.entry("a", "2"), Map.entry("b", "x=y"));
        assertThat(options.get(FAST)).isTrue();
        assertThat(options.isGiven(COUNT)).isTrue();
        assertThat(options.isGiven(TIME)).isFalse();
    }

    @Test
    void useTheDefaultsOfTheCommand() {
        Options options = read(Map.of(), Map.of("time", "5s"));

        assertThat(options.get(TIME)).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.get(COUNT)).isEqualTo(2);
        assertThat(options.texts()).containsEntry("time", List.of("5s")).doesNotContainKey("name");
    }

    @Test
    void problemsAreReportedTogether() {
        assertThatThrownBy(() -> read(
                        Map.of(
                                "count", List.of("11"),
                                "time", List.of("soon"),
                                "fast", List.of("true"),
                                "nam", List.of("x"),
                                "set", List.of("a")),
                        Map.of()))
                .isInstanceOfSatisfying(
                        InvalidPlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "--count: must be at most 10, was 11",
                                        "--time: must be a length of time such as 30, 1.5s, 200ms or 5m, was 'soon'",
                                        "--set: must be NAME=VALUE, was 'a'",
                                        "--nam: is not an option; did you mean 'name'?",
                                        "--fast: has no effect with --time"));
    }

    @Test
    void reportsEveryMistakeOfAValue() {
        assertThatThrownBy(() ->
                        Option.list("sizes", "N", Forms.integer(1, 10)).reader().apply(List.of("0", "5", "11")))
                .hasMessage("must be at least 1, was 0; must be at most 10, was 11");
    }

    @Test
    void copyDiffersInOneValue() {
        Options options = read(Map.of("name", List.of("x")), Map.of());
        Options other = options.with(COUNT, "7");

        assertThat(other.get(COUNT)).isEqualTo(7);
        assertThat(other.get(NAME)).contains("x");
        assertThat(options.get(COUNT)).isEqualTo(2);
        assertThat(other).isNotEqualTo(options).isEqualTo(options.with(COUNT, "7"));
    }

    @Test
    void refuseAnOptionOfAnotherCommand() {
        Options options = read(Map.of(), Map.of());

        assertThatThrownBy(() -> options.get(Option.flag("other"))).hasMessage("this command has no option --other");
    }
}
