package io.pgstress.fleet;

import java.io.ByteArrayInputStream;
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
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /**
     * A certificate authority of one fleet, with a key of its own. The JDK has no interface to write certificates, so its {@code keytool}
     * runs as a process. The password of its stores is in the environment of the process, never among its arguments. Thread-safe.
     */
    static final class Authority implements AutoCloseable {
        private static final Pattern IP = Pattern.compile("[0-9.]+|.*:.*");
        private static final String STORE = "PKCS12";
        private static final String PASSWORD_VARIABLE = "PGSTRESS_KEYTOOL_PASSWORD";
        private static final String ALIAS = "key";
        private static final int DAYS = 3 * 365;

        private final Path directory;
        private final String start;
        private final String password;
        private final PrivateKeyEntry own;

        /**
         * Creates its key.
         *
         * @param now the certificates are valid from an hour before, because clocks differ, for three years
         * @throws IOException if there is no {@code keytool}, or it refuses its work; the message is one line
         */
        Authority(SecureRandom random, Instant now) throws IOException, GeneralSecurityException {
            this.directory = Files.createTempDirectory("pgstress-keys"); // others cannot read it
            this.start =
                    "-" + Duration.between(now, Instant.now().plusSeconds(3600)).toSeconds() + "S";
            byte[] secret = new byte[16];
            random.nextBytes(secret);
            this.password = HexFormat.of().formatHex(secret);
            try {
                // a name for each fleet: a stranger's certificate is then one of an unknown CA, not one with a wrong
                // signature
                String name = "pgstress fleet " + HexFormat.of().toHexDigits(random.nextInt());
                newKey("ca", name, "-startdate", start, "-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign");
                this.own = entry("ca");
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
         * @param file names the host's files; unique
         */
        PrivateKeyEntry certify(String host, String file) throws IOException, GeneralSecurityException {
            newKey(file, host);
            byte[] request = keytool(new byte[0], file, "-certreq");
            byte[] certificate = keytool(
                    request,
                    "ca",
                    Stream.of(
                                    "-gencert -rfc -sigalg SHA256withECDSA -ext bc:c=ca:false -ext ku:c=digitalSignature -ext"
                                            .split(" "),
                                    new String[] {"eku=serverAuth,clientAuth", "-ext", "san=" + alternativeName(host)},
                                    new String[] {"-startdate", start, "-validity", Integer.toString(DAYS)})
                            .flatMap(Stream::of)
                            .toArray(String[]::new));
            Certificate made =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
            return new PrivateKeyEntry(entry(file).getPrivateKey(), new Certificate[] {made, own.getCertificate()});
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

        private void newKey(String file, String name, String... more) throws IOException {
            List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-storetype", STORE, "-keyalg", "EC"));
            arguments.addAll(List.of("-groupname", "secp256r1", "-sigalg", "SHA256withECDSA", "-dname", "CN=" + name));
            arguments.addAll(List.of("-validity", Integer.toString(DAYS)));
            arguments.addAll(List.of(more));
            keytool(new byte[0], file, arguments.toArray(String[]::new));
        }

        private Path store(String file) {
            return directory.resolve(file + ".p12");
        }

        private PrivateKeyEntry entry(String file) throws IOException, GeneralSecurityException {
            KeyStore store = KeyStore.getInstance(STORE);
            try (InputStream in = Files.newInputStream(store(file))) {
                store.load(in, password.toCharArray());
            }
            return (PrivateKeyEntry) store.getEntry(ALIAS, new KeyStore.PasswordProtection(password.toCharArray()));
        }

        /**
         * Runs {@code keytool} of the running JVM with a store of this authority.
         *
         * @param input what it reads
         * @return what it prints
         */
        private byte[] keytool(byte[] input, String file, String... arguments) throws IOException {
            Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            List<String> command = new ArrayList<>(List.of(tool.toString(), "-J-XX:TieredStopAtLevel=1"));
            command.addAll(List.of(arguments));
            command.addAll(
                    List.of("-alias", ALIAS, "-keystore", store(file).toString(), "-storepass:env", PASSWORD_VARIABLE));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put(PASSWORD_VARIABLE, password);
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new IOException(
                        tool + " cannot be started; use a complete JDK or JRE, or create the keys elsewhere", e);
            }
            try (OutputStream to = process.getOutputStream()) {
                to.write(input);
            }
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
            return output;
        }

        /** Deletes the files of {@code keytool}. */
        @Override
        public void close() throws IOException {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }
}
