package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Names that are not too long for the server. A longer one becomes its beginning, {@code $} and the first digits of its SHA-256,
 * so it is always the same.
 */
public final class ServerName {
    /** PostgreSQL's maximum length of a name, in bytes. */
    public static final int MAX_BYTES = 63;

    private static final int DIGITS = 12;

    private ServerName() {}

    /** The name itself, or its short form. */
    public static String of(String name) {
        return bytes(name) <= MAX_BYTES ? name : shortened(name, name, MAX_BYTES - DIGITS - 1);
    }

    /** A name that begins like this one and is different for each {@code digested} text. */
    public static String distinct(String name, String digested) {
        return shortened(name, digested, MAX_BYTES - DIGITS - 1);
    }

    /** The short form with at most {@code kept} bytes of the name. */
    public static String shortened(String name, int kept) {
        return shortened(name, name, kept);
    }

    private static String shortened(String name, String digested, int kept) {
        int end = Math.min(kept, name.length());
        while (bytes(name.substring(0, end)) > kept || Character.isHighSurrogate(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end) + "$" + digest(digested);
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The length of a name as the server counts it, in a database with the encoding UTF8. */
    public static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Names for new indexes. The server has one name space for the tables and indexes of a schema; a name that is taken ends with
     * {@code $} and digits instead, which are the same each time. Used by one thread.
     */
    public static final class FreeNames {
        private final Connection connection;
        private final Set<TableName> given = new HashSet<>();

        public FreeNames(Connection connection) {
            this.connection = connection;
        }

        /**
         * The name to use in the schema, which was not returned before.
         *
         * @param wanted the name, of any length
         * @param mayHave whether a name can be used even if the server has it
         */
        public String of(TableName wanted, Predicate<String> mayHave) throws SQLException {
            String name = ServerName.of(wanted.name());
            for (int i = 1; !isFree(new TableName(wanted.schema(), name), mayHave); i++) {
                name = ServerName.distinct(wanted.name(), wanted.name() + "\0" + i);
            }
            return name;
        }

        private boolean isFree(TableName name, Predicate<String> mayHave) throws SQLException {
            return given.add(name) && (mayHave.test(name.name()) || !exists(name));
        }

        private boolean exists(TableName name) throws SQLException {
            return ControlSql.holds(connection, "select to_regclass(" + name.literal() + ") is not null");
        }
    }
}
