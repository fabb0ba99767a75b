package io.pgstress.importer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.Naming.Renaming;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RenamingTest {
    /** The cases of mongorestore's own tests of {@code --nsFrom} and {@code --nsTo} are among these. */
    @ParameterizedTest
    @CsvSource({
        "a.b=c.d, a.b, c.d",
        "a.b=c.d, a.bb, a.bb",
        "test.*=t2.*, test.foo.bar, t2.foo.bar",
        "*.*=*_x.*, db.a.b, db_x.a.b",
        "$db$.user_$n$=all.$db$_$n$, one.user_7, all.one_7",
        "$a$.$b$=$b$.$a$, x.y, y.x",
        "p$x$.*=q$x$.*, prod.c, qrod.c",
        "d.a\\*=d.b\\$, d.a*, d.b$",
        "d.a\\=b=d.c, d.a=b, d.c",
        "d.*=e.*=, d.x, e.x=",
    })
    void renames(String rule, String from, String to) {
        Namespace name = Namespace.of(from);
        Naming naming = new Naming(List.of(Renaming.parse(rule)), "", null);
        assertThat(naming.of(name.database(), name.collection())).hasToString(to);
    }

    @Test
    void lastRuleThatMatchesApplies() {
        List<Renaming> rules = Stream.of("*.*=all.*_*", "a.x=one.x", "a.*=b.*")
                .map(Renaming::parse)
                .toList();
        Naming naming = new Naming(rules, "", null);
        assertThat(naming.of("a", "x")).hasToString("b.x");
        assertThat(naming.of("z", "x")).hasToString("all.z_x");
        assertThat(naming.unused(List.of(new Namespace("a", "y"))))
                .singleElement()
                .hasToString("a.x=one.x");
    }

    @ParameterizedTest
    @CsvSource({
        "a.b, must be FROM=TO",
        "a=b.c, must be FROM=TO",
        "a.b=c, must be FROM=TO",
        "a.*=b.c, FROM and TO must have equally many *",
        "a.$x$=b.$y$, FROM must have the $y$",
        "$x$.$x$=b.c, FROM can use $x$ only once",
        "a.$x=b.c, a variable needs a name",
        "a.$$=b.$$, a variable needs a name",
    })
    void refusesWhatIsNoRule(String text, String why) {
        assertThatThrownBy(() -> Renaming.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
