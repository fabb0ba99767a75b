package io.pgstress;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the table of packages in the design true: who may use whom, and where each library is named. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.pgstress");

    @ParameterizedTest(name = "{0} uses {1}")
    @CsvSource({
        "plan, text",
        "text, ''",
        "measure, ''",
        "bson, ''",
        "result, plan measure text",
        "target, plan",
        "dataset, plan target",
        "importer, plan bson dataset target text",
        "operation, plan dataset target text",
        "explain, plan result dataset target operation",
        "session, plan dataset importer operation target interrupt",
        "verdict, plan measure result",
        "probe, plan measure result dataset target operation explain verdict runner",
        "runner, plan measure result dataset target operation verdict",
        "compare, plan measure result runner text",
        "report, plan measure result text verdict",
        "merge, plan measure result report verdict",
        "metrics, measure result",
        "interrupt, ''"
    })
    void packageUsesOnlyWhatItMay(String name, String others) {
        String[] allowed = Stream.concat(
                        Stream.of(name), Arrays.stream(others.split(" ")).filter(o -> !o.isEmpty()))
                .map(p -> "io.pgstress." + p + "..")
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage("io.pgstress." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(
                                Arrays.stream(allowed),
                                Stream.of(
                                        "java..",
                                        "javax..",
                                        "com.sun..",
                                        "org.jspecify..",
                                        "org.slf4j..",
                                        "org.postgresql..",
                                        "com.zaxxer..",
                                        "com.mchange..",
                                        "org.HdrHistogram..",
                                        "io.micrometer..",
                                        "io.prometheus..",
                                        "tools.jackson..",
                                        "de.siegmar..",
                                        "com.fasterxml.jackson..",
                                        "io.zonky..",
                                        "org.apache.commons..",
                                        "org.hipparchus..",
                                        "org.snakeyaml..",
                                        "org.tukaani.."))
                        .toArray(String[]::new))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @ParameterizedTest(name = "{0} only in {1}")
    @CsvSource({
        "org.postgresql.., target.driver",
        "com.zaxxer.., target.pool",
        "com.mchange.., target.pool",
        "org.HdrHistogram.., measure",
        "io.micrometer.., metrics",
        "tools.jackson.., text",
        "de.siegmar.fastcsv.., text",
        "io.prometheus.., metrics",
        "io.zonky.., target.embedded",
        "org.apache.commons.math3.., compare.statistics",
        "org.tukaani.., bson.dump",
        "picocli.., cli"
    })
    void libraryIsNamedInOnePackage(String library, String home) {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.pgstress." + home + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(CLASSES);
    }

    @Test
    void onlyMainEndsTheProcess() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.pgstress.cli.Main")
                .should()
                .callMethod(System.class, "exit", int.class)
                .check(CLASSES);
    }
}
