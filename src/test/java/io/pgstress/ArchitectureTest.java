package io.pgstress;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the code against the table in {@code docs/dev/architecture.md}: which package uses which, and where each library is named.
 */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.pgstress");

    /** The cycles of classes that are left: open them rather than add to them. */
    private static final List<String> CYCLES = List.of(
            "bson.dump.[ArchiveDump, MongoDump, PlainDump]",
            "bson.dump.[DumpFiles, DumpInput, FileNames, Metadata, SystemIndexes]",
            "cli.[BaselineCommand, Commands, Main, TrainCommand]",
            "dataset.[KeyLoader, Keys, PackedKeys]",
            "extra.suggest.[FilterSql, IdSql]",
            "extra.suggest.[ObservedLoad, Usage]",
            "fleet.[FleetRun, HostsProbe, RemoteClients]",
            "fleet.[HostGroup, JGroupsStack, Membership, Seeds]",
            "importer.table.[LoadedChunks, ProgressTable, ProgressTables]",
            "plan.[Endpoint, EndpointReader, LoadReader, OptionConflicts, RunLoadOptions, RunOptions]",
            "plan.option.[Option, Options, Problems]",
            "probe.waits.[SampledClient, SessionSample]",
            "report.text.[ComparisonText, RateSearchText, RehearsalText, ScalingText, TextReport]",
            "result.[Remark, RemarkCode]",
            "target.[Cluster, Target]",
            "target.dialect.[CatalogQueries, Dialect, Tables]",
            "target.embedded.[EmbeddedServer, InstalledServers]",
            "target.loop.[EventLoop, Readiness]",
            "verdict.[SlowOperationWords, SlowOperations, TimeShares]");

    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    /** The rows of the page's table: a package, and the packages that it uses. */
    private static Stream<Arguments> table() throws IOException {
        return Files.readAllLines(Path.of("docs/dev/architecture.md")).stream()
                .filter(line -> line.startsWith("| `") && !line.startsWith("| `cli`"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> Arguments.of(names(cells[1]).get(0), names(cells[3])));
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    @Test
    void everyPackageHasARow() throws IOException {
        Set<String> rows = table().map(row -> (String) row.get()[0]).collect(Collectors.toSet());
        Set<String> packages = CLASSES.stream().map(ArchitectureTest::top).collect(Collectors.toSet());
        packages.removeAll(Set.of("", "cli"));
        assertThat(rows).isEqualTo(packages);
    }

    @ParameterizedTest(name = "{0} uses {1}")
    @MethodSource("table")
    void packageUsesOnlyAllowedPackages(String name, List<String> others) {
        String[] allowed = Stream.concat(Stream.of(name), others.stream())
                .map(p -> "io.pgstress." + p + "..")
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage("io.pgstress." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(
                                Stream.of(allowed),
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
                                        "org.apache.commons..",
                                        "org.hipparchus..",
                                        "org.jgroups..",
                                        "org.snakeyaml..",
                                        "com.github.luben..",
                                        "org.tukaani.."))
                        .toArray(String[]::new))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @ParameterizedTest(name = "{0} needs each of {1}")
    @MethodSource("table")
    void packageUsesAllAllowedPackages(String name, List<String> others) {
        Set<String> used = CLASSES.stream()
                .filter(type -> top(type).equals(name))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> top(dependency.getTargetClass()))
                .collect(Collectors.toSet());
        assertThat(used).containsAll(others);
    }

    /** The package below {@code io.pgstress}; an empty string for a class of another library. */
    private static String top(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", -1);
        return type.getPackageName().startsWith("io.pgstress.") ? parts[2] : "";
    }

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.pgstress.(**)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    /** A class that needs another one, which needs it in turn, cannot be read alone. Nested classes belong to the class around them. */
    @Test
    void classesOfAPackageHaveNoCyclesButThese() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            Set<String> used = uses.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .filter(other -> other.getPackageName().equals(type.getPackageName()))
                    .map(ArchitectureTest::outermost)
                    .forEach(used::add);
        }
        Map<String, Set<String>> reached = new TreeMap<>();
        uses.keySet().forEach(name -> reached.put(name, reachedFrom(name, uses)));
        Set<String> cycles = new TreeSet<>();
        reached.forEach((name, all) -> {
            List<String> cycle = all.stream()
                    .filter(other -> reached.get(other).contains(name))
                    .map(other -> other.substring(other.lastIndexOf('.') + 1))
                    .toList();
            if (cycle.size() > 1) {
                cycles.add(name.substring("io.pgstress.".length(), name.lastIndexOf('.') + 1) + cycle);
            }
        });
        assertThat(cycles).containsExactlyInAnyOrderElementsOf(CYCLES);
    }

    private static String outermost(JavaClass type) {
        return type.getBaseComponentType().getName().split("\\$", 2)[0];
    }

    /** The classes that a class uses, directly or not. */
    private static Set<String> reachedFrom(String name, Map<String, Set<String>> uses) {
        Set<String> found = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            for (String next : uses.get(open.remove())) {
                if (found.add(next)) {
                    open.add(next);
                }
            }
        }
        return found;
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
        "org.apache.commons.math3.., compare.statistics",
        "org.tukaani.xz.check.., bson.dump",
        "org.tukaani.xz, target.embedded",
        "com.github.luben.., bson.dump",
        "org.jgroups.., fleet",
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
    void onlyCliUsesExtras() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.pgstress.cli..", "io.pgstress.extra..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.pgstress.extra..")
                .check(CLASSES);
    }

    @Test
    void noTwoClassesShareAName() {
        assertThat(CLASSES.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .map(JavaClass::getSimpleName))
                .doesNotHaveDuplicates();
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
