package io.pgstress.fleet;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** The few kinds of DER values (ITU-T X.690) that a certificate consists of; each method returns tag, length and contents. */
final class Der {
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;
    private static final int SHORT_LENGTH = 0x80;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return value(SET, parts);
    }

    static byte[] octets(byte[]... parts) {
        return value(OCTET_STRING, parts);
    }

    /** @param unused the number of unused bits at the end */
    static byte[] bits(byte[] bytes, int unused) {
        return value(BIT_STRING, new byte[] {(byte) unused}, bytes);
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] yes() {
        return value(0x01, new byte[] {-1});
    }

    static byte[] utf8(String text) {
        return value(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A date and time in the form {@code YYYYMMDDHHMMSSZ}. */
    static byte[] time(String text) {
        return value(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A value whose meaning depends on where it stands. */
    static byte[] context(int number, byte[] contents) {
        return value(CONTEXT | number, contents);
    }

    /** A value around other values, whose meaning depends on where it stands. */
    static byte[] contextOf(int number, byte[] contents) {
        return value(CONTEXT | CONSTRUCTED | number, contents);
    }

    /** An object identifier, such as {@code 2.5.29.17}. */
    static byte[] oid(String dotted) {
        String[] numbers = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
        for (int i = 2; i < numbers.length; i++) {
            int number = Integer.parseInt(numbers[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (number >>> shift != 0) {
                    out.write((number >>> shift & 0x7f) | 0x80);
                }
            }
            out.write(number & 0x7f);
        }
        return value(0x06, out.toByteArray());
    }

    private static byte[] value(int tag, byte[]... parts) {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            contents.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = contents.size();
        if (length < SHORT_LENGTH) {
            out.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int skipped = bytes[0] == 0 ? 1 : 0;
            out.write(SHORT_LENGTH | bytes.length - skipped);
            out.write(bytes, skipped, bytes.length - skipped);
        }
        out.writeBytes(contents.toByteArray());
        return out.toByteArray();
    }
}
