package io.pgstress.fleet;

import io.pgstress.fleet.KeyDirectory.Authority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/** A certificate authority for tests, which writes the files that a server and its clients use. */
public final class TestAuthority {
    private static final String CIPHER = "PBEWithSHA1AndDESede";

    private final Authority authority;
    private final Path directory;

    /** @param from the certificates are valid for three years from then on */
    public TestAuthority(Path directory, Instant from) throws GeneralSecurityException, IOException {
        this.authority = new Authority(new SecureRandom(), from);
        this.directory = Files.createDirectories(directory);
        Files.writeString(
                certificate(),
                pem("CERTIFICATE", authority.own().getCertificate().getEncoded()));
    }

    /** The file with its own certificate. */
    public Path certificate() {
        return directory.resolve("ca.crt");
    }

    /**
     * Writes NAME.crt, and the key as NAME.key (PEM), NAME.pk8 (DER), NAME-encrypted.pk8 and, with the certificate, NAME.p12.
     *
     * @param password of the last two
     * @return the path of NAME.crt
     */
    public Path certify(String name, String password) throws GeneralSecurityException, IOException {
        KeyStore.PrivateKeyEntry made = authority.certify(name);
        byte[] key = made.getPrivateKey().getEncoded();
        write(name + ".key", pem("PRIVATE KEY", key).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        write(name + ".pk8", key);
        write(name + "-encrypted.pk8", encrypted(key, password));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setEntry("user", made, new KeyStore.PasswordProtection(password.toCharArray()));
        try (var out = Files.newOutputStream(directory.resolve(name + ".p12"))) {
            store.store(out, password.toCharArray());
        }
        return Files.writeString(
                directory.resolve(name + ".crt"),
                pem("CERTIFICATE", made.getCertificate().getEncoded()));
    }

    private static byte[] encrypted(byte[] key, String password) throws GeneralSecurityException, IOException {
        Key secret = SecretKeyFactory.getInstance(CIPHER).generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(Cipher.ENCRYPT_MODE, secret, new PBEParameterSpec(new byte[8], 1000));
        return new EncryptedPrivateKeyInfo(cipher.getParameters(), cipher.doFinal(key)).getEncoded();
    }

    /** Servers and the driver refuse keys that others may read. */
    private void write(String file, byte[] bytes) throws IOException {
        Path path = Files.write(directory.resolve(file), bytes);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind + "-----\n";
    }
}
