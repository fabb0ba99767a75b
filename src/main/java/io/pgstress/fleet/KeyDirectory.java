package io.pgstress.fleet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A directory with everything that the hosts of a fleet need to recognize each other:
 *
 * <ul>
 *   <li>{@code HOST.p12}: key and certificate of a host; only this host needs it
 *   <li>{@code truststore.p12}: the CA's certificate; every host needs it
 *   <li>{@code password}: of these files; every host needs it
 *   <li>{@code ca.p12} and {@code ca.password}: the CA's key; no host needs it
 * </ul>
 *
 * <p>Only the owner may read them.
 */
public final class KeyDirectory {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9*][A-Za-z0-9.:-]*");
    private static final Set<String> RESERVED = Set.of("ca", "truststore");
    private static final int PASSWORD_BYTES = 24;
    private static final String ALIAS = "pgstress";

    private final Path directory;
    private final SecureRandom random = new SecureRandom();

    private KeyDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Creates the directory and its files.
     *
     * @param hosts names or IP addresses; {@code *.DOMAIN} stands for all hosts of a domain
     * @param now from when on the certificates are valid, less an hour
     * @throws IllegalArgumentException if a host is malformed or named twice, or there is none
     * @throws FileAlreadyExistsException if the directory exists and is not empty
     */
    public static void create(Path directory, List<String> hosts, Instant now) throws IOException {
        check(hosts);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (Files.exists(directory)) {
            try (var files = Files.list(directory)) {
                if (files.findAny().isPresent()) {
                    throw new FileAlreadyExistsException(
                            directory.toString(), null, "is not empty; nothing is overwritten");
                }
            }
            Files.delete(directory);
        }
        Files.createDirectory(directory, ownerOnly("rwx------"));
        try {
            new KeyDirectory(directory).write(hosts, now);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot create keys: " + e.getMessage(), e);
        }
    }

    private static void check(List<String> hosts) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("no hosts");
        }
        Set<String> files = new HashSet<>(RESERVED);
        for (String host : hosts) {
            if (!HOST.matcher(host).matches()) {
                throw new IllegalArgumentException("not a name or IP address of a host: " + host);
            }
            Authority.alternativeName(host);
            if (!files.add(fileName(host))) {
                throw new IllegalArgumentException("this host has no file of its own: " + host);
            }
        }
    }

    /** The name of a host's file, without its extension. Colons and asterisks are no part of file names everywhere. */
    static String fileName(String host) {
        return host.replace(':', '-').replace("*", "all");
    }

    private void write(List<String> hosts, Instant now) throws IOException, GeneralSecurityException {
        try (Authority authority = new Authority(random, now)) {
            writeKey("ca.p12", authority.own(), password("ca.password"));
            char[] password = password("password");
            KeyStore trusted = newStore();
            trusted.setCertificateEntry(ALIAS, authority.own().getCertificate());
            write("truststore.p12", trusted, password);
            for (String host : hosts) {
                writeKey(fileName(host) + ".p12", authority.certify(host, fileName(host)), password);
            }
        }
    }

    private char[] password(String file) throws IOException {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        try (OutputStream out = create(file)) {
            out.write((password + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        return password.toCharArray();
    }

    private static KeyStore newStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private void writeKey(String file, KeyStore.PrivateKeyEntry key, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = newStore();
        store.setEntry(ALIAS, key, new KeyStore.PasswordProtection(password));
        write(file, store, password);
    }

    private void write(String file, KeyStore store, char[] password) throws IOException, GeneralSecurityException {
        try (OutputStream out = create(file)) {
            store.store(out, password);
        }
    }

    private OutputStream create(String name) throws IOException {
        Path file = Files.createFile(directory.resolve(name), ownerOnly("rw-------"));
        return Files.newOutputStream(file, StandardOpenOption.WRITE);
    }

    /** Set when a file is created, so that nobody else can read it in between. Windows has no such permissions. */
    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
