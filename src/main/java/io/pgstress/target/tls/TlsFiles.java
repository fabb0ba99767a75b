package io.pgstress.target.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The files of a client certificate, as far as the driver does not read them as libpq does. */
public final class TlsFiles {
    /** Enough for the first line of a key. */
    private static final int HEAD_BYTES = 4096;

    private TlsFiles() {}

    /**
     * What prevents the driver from reading a key that libpq reads; an empty string if it can, or if the file cannot be read, which it
     * reports itself.
     *
     * @param file in PEM or DER, or PKCS#12
     */
    public static String objection(String file) {
        String head = head(file);
        if (head.contains("-----BEGIN ENCRYPTED PRIVATE KEY")) {
            return "sslkey " + file + " is an encrypted PEM file, which the driver does not read; " + convert(file, "")
                    + " makes an encrypted DER file of it";
        }
        if (head.contains("PRIVATE KEY-----") && !head.contains("-----BEGIN PRIVATE KEY")) {
            return "sslkey " + file + " is not in PKCS#8; " + convert(file, "-nocrypt ") + " converts it";
        }
        return "";
    }

    private static String convert(String file, String option) {
        return "openssl pkcs8 -topk8 " + option + "-outform DER -in " + file + " -out KEY.pk8";
    }

    private static String head(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException | InvalidPathException e) {
            return "";
        }
    }

    /**
     * The algorithm of the key in a certificate, such as {@code EC}; null if there is no readable certificate. The driver takes any key
     * in PEM for one of RSA.
     */
    public static @Nullable String algorithm(String certificate) {
        try (InputStream in = Files.newInputStream(Path.of(certificate))) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey()
                    .getAlgorithm()
                    .toUpperCase(Locale.ROOT);
        } catch (IOException | InvalidPathException | GeneralSecurityException e) {
            return null;
        }
    }
}
