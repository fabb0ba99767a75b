package io.pgstress.target.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.settings.Journal.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last change is undone first; otherwise a setting that was changed twice would keep the value in between. */
final class JournalTest {
    private static final Change FIRST = new Change("jdbc:postgresql://a/", "u", "work_mem", null, "1MB");
    private static final Change SECOND = new Change("jdbc:postgresql://a/", "u", "work_mem", "1MB", "2MB");
    private static final Change THIRD = new Change("jdbc:postgresql://b/", "", "jit", "on", "off");

    @TempDir
    private Path directory;

    private Journal written() {
        Journal journal = Journal.own(directory.resolve("new"));
        List.of(FIRST, SECOND, THIRD).forEach(journal::add);
        return journal;
    }

    @Test
    void lastChangeComesFirst() {
        assertThat(written().changes()).containsExactly(THIRD, SECOND, FIRST);
    }

    @Test
    void whatIsKeptStaysInItsOrder() {
        Journal journal = written();
        journal.keep(List.of(SECOND, FIRST));
        assertThat(journal.changes()).containsExactly(SECOND, FIRST);
        journal.add(THIRD);
        assertThat(journal.changes()).containsExactly(THIRD, SECOND, FIRST);
        journal.keep(List.of());
        assertThat(journal.file()).doesNotExist();
        assertThat(journal.changes()).isEmpty();
    }

    /** As by a crash or a full disk. */
    @Test
    void lineThatWasCutOffHidesNoOther() throws IOException {
        Journal journal = written();
        Files.writeString(journal.file(), "{\"url\":\"jdbc:postg", StandardOpenOption.APPEND);
        journal.add(FIRST);
        assertThat(journal.changes()).containsExactly(FIRST, THIRD, SECOND, FIRST);
    }

    @Test
    void oneLineNamesTheSettingsOfAServer() {
        assertThat(Journal.stillInForce("a killed run left", List.of(written())))
                .containsExactlyInAnyOrder(
                        "a killed run left altered settings in force on jdbc:postgresql://a/: work_mem; to restore"
                                + " them: stress settings restore",
                        "a killed run left altered settings in force on jdbc:postgresql://b/: jit; to restore them:"
                                + " stress settings restore");
    }
}
