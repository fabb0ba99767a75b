package io.pgstress.fleet;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A certificate authority of one fleet, with a key of its own. The JDK makes keys and signatures and reads certificates, but has
 * no interface to write them, so their few fields (RFC 5280) are encoded here.
 */
final class Authority {
    private static final Pattern IP = Pattern.compile("[0-9.]+|.*:.*");
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String ALTERNATIVE_NAME = "2.5.29.17";
    private static final String TLS_SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String TLS_CLIENT = "1.3.6.1.5.5.7.3.2";

    /** Bits of the key usage, from the highest on, and how many are unused. */
    private static final byte[] SIGNS_CERTIFICATES = Der.bits(new byte[] {0x04}, 2);

    private static final byte[] SIGNS_DATA = Der.bits(new byte[] {(byte) 0x80}, 7);

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final int SERIAL_BITS = 120;
    private static final long DAYS = 3 * 365;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final SecureRandom random;
    private final Instant from;
    private final String name;
    private final KeyPair key;
    private final X509Certificate certificate;

    /** @param now the certificates are valid from an hour before, because clocks differ, for three years */
    Authority(SecureRandom random, Instant now) throws GeneralSecurityException {
        this.random = random;
        this.from = now.minus(1, ChronoUnit.HOURS);
        // its own for each fleet: a stranger's certificate is then one of an unknown CA, not one with a wrong signature
        this.name = "pgstress fleet " + HexFormat.of().toHexDigits(random.nextInt());
        this.key = newKey();
        this.certificate = sign(
                name,
                key.getPublic(),
                extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes())),
                extension(KEY_USAGE, true, SIGNS_CERTIFICATES));
    }

    KeyPair key() {
        return key;
    }

    X509Certificate certificate() {
        return certificate;
    }

    KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    /**
     * A certificate for a host, which is both server and client.
     *
     * @param host a name or an IP address
     */
    X509Certificate certify(String host, PublicKey hostKey) throws GeneralSecurityException {
        return sign(
                host,
                hostKey,
                extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                extension(KEY_USAGE, true, SIGNS_DATA),
                extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid(TLS_SERVER), Der.oid(TLS_CLIENT))),
                extension(ALTERNATIVE_NAME, false, Der.sequence(alternativeName(host))));
    }

    /** @throws IllegalArgumentException if it looks like an IP address and is none */
    static byte[] alternativeName(String host) {
        if (!IP.matcher(host).matches()) {
            return Der.context(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
        }
        try {
            return Der.context(IP_ADDRESS, InetAddress.getByName(host).getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an IP address: " + host, e);
        }
    }

    private static byte[] extension(String oid, boolean isCritical, byte[] contents) {
        return isCritical
                ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(contents))
                : Der.sequence(Der.oid(oid), Der.octets(contents));
    }

    private X509Certificate sign(String subject, PublicKey subjectKey, byte[]... extensions)
            throws GeneralSecurityException {
        byte[] algorithm = Der.sequence(Der.oid(ECDSA_WITH_SHA256));
        byte[] contents = Der.sequence(
                Der.contextOf(0, Der.integer(BigInteger.TWO)), // version 3
                Der.integer(new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS)),
                algorithm,
                name(name),
                Der.sequence(Der.time(TIME.format(from)), Der.time(TIME.format(from.plus(DAYS, ChronoUnit.DAYS)))),
                name(subject),
                subjectKey.getEncoded(),
                Der.contextOf(3, Der.sequence(extensions)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key.getPrivate(), random);
        signature.update(contents);
        byte[] bytes = Der.sequence(contents, algorithm, Der.bits(signature.sign(), 0));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(commonName))));
    }
}
