package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgstress.text.Tree.Mapping;
import io.pgstress.text.Tree.Place;
import io.pgstress.text.Tree.Scalar;
import io.pgstress.text.Tree.Sequence;
import org.junit.jupiter.api.Test;

final class YamlTest {
    private static Mapping mapping(String yaml) {
        return (Mapping) Yaml.read(yaml);
    }

    @Test
    void valuesKeepTheirText() {
        Mapping tree = mapping("a: on\nb: 1_000\nc: 2%\nd: '007'\ne:\nf: 0x10\ng: true\nh: 1.50\n");

        assertThat(tree.entries().values().stream().map(e -> ((Scalar) e.value()).text()))
                .containsExactly("on", "1_000", "2%", "007", "", "0x10", "true", "1.50");
    }

    @Test
    void everyNodeHasItsPosition() {
        Mapping tree = mapping("# a comment\nbase:\n  op: find\n  url:\n    - one\n    - two\n");
        Mapping base = (Mapping) tree.entries().get("base").value();
        Sequence urls = (Sequence) base.entries().get("url").value();

        assertThat(tree.entries().get("base").place()).isEqualTo(new Place(2, 1));
        assertThat(base.entries().get("op").place()).isEqualTo(new Place(3, 3));
        assertThat(urls.items().get(1).place().line()).isEqualTo(6);
    }

    @Test
    void blockTextKeepsItsLines() {
        Mapping tree = mapping("sql: |\n  select 1;\n  select 2;\n");

        assertThat(((Scalar) tree.entries().get("sql").value()).text()).isEqualTo("select 1;\nselect 2;\n");
    }

    @Test
    void reportsInvalidYamlWithItsLine() {
        assertFails("a: 1\nb: [1, 2\nc: 3\n", "line 3");
        assertFails("a: 1\nb: 2\na: 3\n", "line 3", "'a' appears twice");
        assertFails("a: &x 1\nb: *x\n", "line 2", "aliases");
        assertFails("a: 1\n---\nb: 2\n", "line 3", "only one document");
        assertFails("# nothing\n", "is empty");
    }

    private static void assertFails(String yaml, String... parts) {
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> Yaml.read(yaml))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }
}
