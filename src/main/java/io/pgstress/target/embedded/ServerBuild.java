package io.pgstress.target.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The programs of a server.
 *
 * @param bin the folder that contains {@code postgres}
 * @param origin the jar they are from, or the folder; {@code bundled} for those of this program's jar
 * @param sha256 the checksum of that jar, of the bundled archive, or of {@code postgres} in a folder
 */
public record ServerBuild(Path bin, String origin, String sha256) {
    /** The programs in a folder, which contains {@code postgres}. */
    static ServerBuild inFolder(Path bin) throws IOException {
        Path folder = bin.toAbsolutePath();
        Path postgres = folder.resolve("postgres");
        byte[] program = Files.readAllBytes(Files.exists(postgres) ? postgres : folder.resolve("postgres.exe"));
        return new ServerBuild(folder, folder.toString(), sha256(program));
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
