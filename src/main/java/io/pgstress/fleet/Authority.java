package io.pgstress.fleet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PrivateKeyEntry;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A certificate authority of one fleet, with a key of its own. The JDK has no interface to write certificates, so its {@code keytool}
 * runs as a process. The password of its stores is in the environment of the process, never among its arguments. Thread-safe.
 */
final class Authority implements AutoCloseable {
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
