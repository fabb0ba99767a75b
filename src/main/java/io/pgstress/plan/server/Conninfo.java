package io.pgstress.plan.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connection parameters by libpq's keywords, as a connection string gives them. Immutable. It may contain a password, so print
 * only single values.
 */
record Conninfo(Map<String, String> values) {
    Conninfo {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Whether this is a connection string of libpq, a URI or {@code keyword=value ...}, and not the name of a database. */
    static boolean isOne(String text) {
        return ConninfoUri.isOne(text) || (text.contains("=") && !text.startsWith("jdbc:"));
    }

    /**
     * Reads a connection string.
     *
     * @throws IllegalArgumentException if it is none, or has a parameter that cannot be used; the message contains no value of it
     */
    static Conninfo parse(String text) {
        return new Conninfo(ConninfoUri.isOne(text) ? ConninfoUri.read(text) : pairs(text));
    }

    /** The value, or an empty string. */
    String get(String keyword) {
        return values.getOrDefault(keyword, "");
    }

    /** A copy in which these values override its own. A host also replaces an address, and an address a host. */
    Conninfo overriddenBy(Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(values);
        if (others.containsKey("host") || others.containsKey("hostaddr")) {
            all.keySet().removeAll(List.of("host", "hostaddr"));
        }
        all.putAll(others);
        return new Conninfo(all);
    }

    /** A copy in which these values fill in what is missing. */
    Conninfo completedBy(Map<String, String> others) {
        return new Conninfo(others).overriddenBy(values);
    }

    /**
     * Reads {@code keyword = 'value' ...} as {@code conninfo_parse} of libpq does: spaces around the equals sign, quotes around
     * values, and a backslash before a quote or a backslash.
     */
    private static Map<String, String> pairs(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while ((at = afterSpaces(text, at)) < text.length()) {
            int equals = text.indexOf('=', at);
            String keyword = equals < 0 ? "" : text.substring(at, equals).trim();
            if (keyword.isEmpty() || keyword.chars().anyMatch(Character::isWhitespace)) {
                throw new IllegalArgumentException(
                        "a connection string must be keyword=value ..., but there is a word without '=' at character "
                                + (at + 1));
            }
            StringBuilder value = new StringBuilder();
            at = value(text, afterSpaces(text, equals + 1), value);
            if (!LibpqParameters.isOne(keyword) && text.indexOf('@', equals) >= 0) {
                throw new IllegalArgumentException("the word before '=' at character " + (equals + 1)
                        + " is not a connection parameter of libpq; a URI begins with postgresql://");
            }
            values.put(LibpqParameters.named(keyword).keyword(), value.toString());
        }
        return values;
    }

    private static int afterSpaces(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Reads a value and returns where it ends. */
    private static int value(String text, int from, StringBuilder value) {
        boolean isQuoted = from < text.length() && text.charAt(from) == '\'';
        int at = isQuoted ? from + 1 : from;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isQuoted ? c == '\'' : Character.isWhitespace(c)) {
                return at + 1;
            }
            if (c == '\\' && at + 1 < text.length()) {
                at++;
            }
            value.append(text.charAt(at));
        }
        if (isQuoted) {
            throw new IllegalArgumentException("a quoted value in the connection string does not end");
        }
        return at;
    }

    /** Reads {@code postgresql://user:password@host:port,.../dbname?parameter=value&...} (PostgreSQL's manual, 34.1.1.2). */
    private static final class ConninfoUri {
        private static final Pattern PARTS = Pattern.compile(
                "postgres(?:ql)?://(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^/?]*)(?:/(?<db>[^?]*))?(?:\\?(?<parameters>.*))?",
                Pattern.DOTALL);

        private static final Pattern HOST = Pattern.compile("(\\[[^\\]@]*]|[^:\\[\\]@]*)(?::([^:]*))?");

        private static final String ENCODE =
                // without quotes: what follows one, up to the last @, may be a secret
                "an @ follows the hosts of the URI: percent-encode the role and the password"
                        + " (@ is %40, / is %2F, ? is %3F, : is %3A, # is %23, % is %25)";

        private ConninfoUri() {}

        static boolean isOne(String text) {
            return text.startsWith("postgresql://") || text.startsWith("postgres://");
        }

        /** @throws IllegalArgumentException if it is not such a URI; the message contains no secret */
        static Map<String, String> read(String text) {
            Matcher parts = PARTS.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "must be postgresql://USER@HOST:PORT/DATABASE?PARAMETER=VALUE; percent-encode other characters");
            }
            String parameters = parts.group("parameters") == null ? "" : parts.group("parameters");
            if (parts.group("hosts").contains("@")
                    || (parts.group("db") != null && parts.group("db").contains("@"))) {
                throw new IllegalArgumentException(ENCODE);
            }
            Map<String, String> values = new LinkedHashMap<>();
            put(values, "user", parts.group("user"));
            put(values, "password", parts.group("password"));
            hosts(values, parts.group("hosts"));
            put(values, "dbname", parts.group("db"));
            for (String parameter : parameters.isEmpty() ? new String[0] : parameters.split("&", -1)) {
                int equals = parameter.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(
                            "a parameter of the URI has no '=': separate parameters by '&', and"
                                    + " percent-encode other characters");
                }
                String keyword = decoded(parameter.substring(0, equals));
                if (parameters.contains("@") && !keyword.equals("ssl") && !LibpqParameters.isOne(keyword)) {
                    throw new IllegalArgumentException(ENCODE); // a password with a question mark
                }
                parameter(values, keyword, decoded(parameter.substring(equals + 1)));
            }
            return values;
        }

        private static void parameter(Map<String, String> values, String keyword, String value) {
            if (keyword.equals("ssl") && value.equals("true")) { // as in libpq, for JDBC's sake
                values.put("sslmode", "require");
            } else {
                values.put(LibpqParameters.named(keyword).keyword(), value);
            }
        }

        private static void hosts(Map<String, String> values, String text) {
            if (text.isEmpty()) {
                return;
            }
            List<String> hosts = new ArrayList<>();
            List<String> ports = new ArrayList<>();
            for (String each : text.split(",", -1)) {
                Matcher m = HOST.matcher(each);
                if (!m.matches()) {
                    throw new IllegalArgumentException(
                            "the hosts of the URI must be HOST:PORT,...; percent-encode other characters before them");
                }
                String host = m.group(1);
                hosts.add(decoded(host.startsWith("[") ? host.substring(1, host.length() - 1) : host));
                ports.add(m.group(2) == null ? "" : m.group(2));
            }
            put(values, "host", String.join(",", hosts));
            if (ports.stream().anyMatch(port -> !port.isEmpty())) {
                values.put("port", String.join(",", ports));
            }
        }

        private static void put(Map<String, String> values, String keyword, @Nullable String text) {
            if (text != null && !text.isEmpty()) {
                values.put(keyword, decoded(text));
            }
        }

        /** A plus sign means itself. */
        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "the URI is not percent-encoded correctly: write %25 for a percent sign", e);
            }
        }
    }
}
