package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.pgstress.plan.RunSpec;
import io.pgstress.probe.server.ServerPart;
import io.pgstress.runner.Probe;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of all probes. */
final class ProbesTest {
    @Test
    void everyPartOfAServerIsInItsList() {
        assertThat(new ClassFileImporter()
                                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                                .importPackages("io.pgstress.probe")
                                .stream()
                                .filter(c -> c.isAssignableTo(ServerPart.class) && !c.isInterface()))
                .isNotEmpty()
                .allMatch(c -> c.getConstructorCallsToSelf().stream()
                        .anyMatch(call -> call.getOriginOwner().getName().equals(WatchedServer.class.getName())));
    }

    @Test
    void containsEveryProbe() {
        String url = TestServer.freshDatabase("probes");
        TestServer.table(url, "docs", 10);
        RunSpec spec = Runs.spec("-t docs -c 1 --url " + url);
        List<String> written = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.pgstress.probe")
                        .stream()
                        .filter(c -> c.isAssignableTo(Probe.class)
                                && c.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getName)
                        .toList();
        try (TestContext context = new TestContext(spec, Target.open(spec))) {
            List<Probe> listed = Probes.of(context.run(), context.threads());
            try {
                assertThat(listed)
                        .extracting(probe -> probe.getClass().getName())
                        .as("a probe that is missing here has no line in Probes")
                        .containsExactlyInAnyOrderElementsOf(written);
            } finally {
                listed.forEach(Probe::close);
            }
        }
    }
}
