package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jgroups.conf.ClassConfigurator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program's own lists of JGroups's classes are parts of the library's, and come first. */
final class ClassListsTest {
    private static final Pattern ENTRY = Pattern.compile("<class id=\"(\\d+)\"\\s+name=\"([^\"]+)\"");

    @ParameterizedTest
    @ValueSource(strings = {"jg-magic-map.xml", "jg-protocol-ids.xml"})
    void numbersAreThoseOfTheLibrary(String name) throws Exception {
        List<URL> found =
                Collections.list(ClassConfigurator.class.getClassLoader().getResources(name));
        assertThat(found).hasSize(2);
        assertThat(found.get(0).toString()).as("the program's own comes first").doesNotContain("jgroups-");
        Map<Integer, String> own = entries(found.get(0));
        assertThat(own).isNotEmpty();
        assertThat(entries(found.get(1))).containsAllEntriesOf(own);
        for (String type : own.values()) {
            assertThat(Class.forName(type)).isNotNull();
        }
    }

    private static Map<Integer, String> entries(URL list) throws IOException {
        try (InputStream in = list.openStream()) {
            Map<Integer, String> entries = new TreeMap<>();
            Matcher entry = ENTRY.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            while (entry.find()) {
                entries.put(Integer.valueOf(entry.group(1)), entry.group(2));
            }
            return entries;
        }
    }
}
