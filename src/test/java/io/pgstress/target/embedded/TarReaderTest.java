package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.target.embedded.ServerArchive.TarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Unpacks archives that Commons Compress made. */
final class TarReaderTest {
    private static final int EXECUTABLE = 0755;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

    private void file(String name, int mode, int size) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setMode(mode);
        entry.setSize(size);
        tar.putArchiveEntry(entry);
        tar.write("x".repeat(size).getBytes(StandardCharsets.US_ASCII));
        tar.closeArchiveEntry();
    }

    private void link(String name, String target) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        entry.setLinkName(target);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }

    private void unpack() throws IOException {
        tar.close();
        unpack(bytes.toByteArray());
    }

    private void unpack(byte[] archive) throws IOException {
        try (TarReader reader = new TarReader(new ByteArrayInputStream(archive))) {
            reader.unpack(directory.resolve("out"));
        }
    }

    @Test
    void unpacksFilesOfAllSizesAndNames() throws IOException {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        String longName = "share/" + "timezone/".repeat(15) + "Buenos_Aires";
        file("./bin/pg_ctl", EXECUTABLE, 511);
        file("empty", 0644, 0);
        file("block", 0644, 512);
        file(longName, 0644, 513);
        unpack();
        Path out = directory.resolve("out");
        assertThat(out.resolve("bin/pg_ctl")).isExecutable().hasSize(511);
        assertThat(out.resolve("empty")).isEmptyFile();
        assertThat(out.resolve("block")).hasSize(512);
        assertThat(out.resolve(longName)).hasContent("x".repeat(513));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links and permissions")
    void keepsLinksAndWhatIsExecutable() throws IOException {
        file("lib/libpq.so.5.18", 0644, 7);
        link("lib/libpq.so.5", "libpq.so.5.18");
        unpack();
        assertThat(directory.resolve("out/lib/libpq.so.5")).isSymbolicLink().hasSize(7);
        assertThat(Files.isExecutable(directory.resolve("out/lib/libpq.so.5.18")))
                .isFalse();
    }

    @Test
    void refusesNamesAndLinksThatLeadOutside() throws IOException {
        file("../outside", 0644, 1);
        assertThatThrownBy(this::unpack).hasMessageContaining("outside of it: ../outside");
        bytes.reset();
        try (TarArchiveOutputStream other = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry entry = new TarArchiveEntry("lib/link", TarConstants.LF_SYMLINK);
            entry.setLinkName("../../outside");
            other.putArchiveEntry(entry);
            other.closeArchiveEntry();
        }
        assertThatThrownBy(() -> unpack(bytes.toByteArray())).hasMessageContaining("outside of it: ../../outside");
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void refusesACutOrDamagedArchive() throws IOException {
        file("bin/postgres", EXECUTABLE, 5000);
        tar.close();
        byte[] all = bytes.toByteArray();
        assertThatThrownBy(() -> unpack(java.util.Arrays.copyOf(all, 2000)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("bin");
        assertThatThrownBy(() -> unpack(java.util.Arrays.copyOf(all, 100))).isInstanceOf(EOFException.class);
        all[124] = 'z';
        assertThatThrownBy(() -> unpack(all)).hasMessageContaining("octal");
    }
}
