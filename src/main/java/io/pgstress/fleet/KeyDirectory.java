package io.pgstress.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
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
import java.security.KeyStore.PrivateKeyEntry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
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
                writeKey(fileName(host) + ".p12", authority.certify(host), password);
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

    /**
     * A certificate authority of one fleet, with a key of its own. The JDK has no interface to write certificates, so its {@code keytool}
     * runs as a process. The password of its store is in the environment of the process, never among its arguments. Thread-safe.
     */
    static final class Authority implements AutoCloseable {
        private static final Pattern IP = Pattern.compile("[0-9.]+|.*:.*");
        private static final String STORE = "PKCS12";
        private static final String PASSWORD_VARIABLE = "PGSTRESS_KEYTOOL_PASSWORD";
        private static final String CA = "ca";
        private static final int DAYS = 3 * 365;

        private final Path directory;
        private final Path store;
        private final String start;
        private final String password;
        private final PrivateKeyEntry own;
        private int hosts;

        /**
         * Creates its key.
         *
         * @param now the certificates are valid from an hour before, because clocks differ, for three years
         * @throws IOException if there is no {@code keytool}, or it refuses its work; the message is one line
         */
        Authority(SecureRandom random, Instant now) throws IOException, GeneralSecurityException {
            this.directory = Files.createTempDirectory("pgstress-keys"); // others cannot read it
            this.store = directory.resolve("store.p12");
            this.start =
                    "-" + Duration.between(now, Instant.now().plusSeconds(3600)).toSeconds() + "S";
            byte[] secret = new byte[16];
            random.nextBytes(secret);
            this.password = HexFormat.of().formatHex(secret);
            try {
                // a name for each fleet: a stranger's certificate is then one of an unknown CA, not one with a wrong
                // signature
                String name = "pgstress fleet " + HexFormat.of().toHexDigits(random.nextInt());
                newKey(CA, name, "-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign");
                this.own = entry(CA);
            } catch (IOException | GeneralSecurityException | RuntimeException e) {
                close();
                throw e;
            }
        }

        /** Its key and certificate. */
        PrivateKeyEntry own() {
            return own;
        }

        /**
         * A key for a host, which is both server and client, with its certificate and the authority's.
         *
         * @param host a name or an IP address
         */
        synchronized PrivateKeyEntry certify(String host) throws IOException, GeneralSecurityException {
            String alias = "host-" + ++hosts;
            newKey(
                    alias,
                    host,
                    ("-signer " + CA
                                    + " -ext bc:c=ca:false -ext ku:c=digitalSignature -ext eku=serverAuth,clientAuth -ext san="
                                    + alternativeName(host))
                            .split(" "));
            return entry(alias);
        }

        /** @throws IllegalArgumentException if it looks like an IP address and is none */
        static String alternativeName(String host) {
            if (!IP.matcher(host).matches()) {
                return "dns:" + host;
            }
            try {
                return "ip:" + InetAddress.getByName(host).getHostAddress();
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("not an IP address: " + host, e);
            }
        }

        /** Lets {@code keytool} of the running JVM add a key and its certificate to the store. */
        private void newKey(String alias, String name, String... more) throws IOException {
            Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            List<String> command =
                    new ArrayList<>(List.of(tool.toString(), "-J-XX:TieredStopAtLevel=1", "-genkeypair"));
            command.addAll(List.of("-storetype", STORE, "-keyalg", "EC", "-groupname", "secp256r1"));
            command.addAll(List.of("-sigalg", "SHA256withECDSA", "-dname", "CN=" + name, "-alias", alias));
            command.addAll(List.of("-startdate", start, "-validity", Integer.toString(DAYS)));
            command.addAll(List.of("-keystore", store.toString(), "-storepass:env", PASSWORD_VARIABLE));
            command.addAll(List.of(more));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put(PASSWORD_VARIABLE, password);
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new IOException(
                        tool + " cannot be started; use a complete JDK or JRE, or create the keys elsewhere", e);
            }
            process.getOutputStream().close();
            byte[] output = process.getInputStream().readAllBytes();
            try {
                if (process.waitFor() != 0) {
                    throw new IOException(new String(output, Charset.defaultCharset())
                            .lines()
                            .findFirst()
                            .orElse("keytool failed"));
                }
            } catch (InterruptedException e) {
                process.destroy();
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while keytool was at work", e);
            }
        }

        private PrivateKeyEntry entry(String alias) throws IOException, GeneralSecurityException {
            KeyStore made = KeyStore.getInstance(STORE);
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, password.toCharArray());
            }
            return (PrivateKeyEntry) made.getEntry(alias, new KeyStore.PasswordProtection(password.toCharArray()));
        }

        /** Deletes the store of {@code keytool}. */
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(store);
            Files.delete(directory);
        }
    }
}
