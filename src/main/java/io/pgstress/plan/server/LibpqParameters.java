package io.pgstress.plan.server;

import io.pgstress.plan.option.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The connection parameters of libpq 18. */
final class LibpqParameters {
    private static final String NO_PROPERTY = "the driver has no such parameter; leave it out";

    private static final Map<String, LibpqParameter> ALL = byKeyword();

    private static Map<String, LibpqParameter> byKeyword() {
        Map<String, LibpqParameter> all = new LinkedHashMap<>();
        Stream.of(ofUrl(), ofTls(), ofSession(), refused())
                .flatMap(List::stream)
                .forEach(p -> all.put(p.keyword(), p));
        return all;
    }

    private static List<LibpqParameter> ofUrl() {
        return List.of(
                plain("host", "PGHOST", ""),
                plain("hostaddr", "PGHOSTADDR", ""),
                plain("port", "PGPORT", ""),
                plain("dbname", "PGDATABASE", ""),
                plain("user", "PGUSER", "user"),
                plain("password", "", "password"), // the driver's properties take PGPASSWORD
                plain("service", "PGSERVICE", ""),
                plain("servicefile", "PGSERVICEFILE", ""));
    }

    private static List<LibpqParameter> ofTls() {
        return List.of(
                same(
                        "sslmode",
                        "PGSSLMODE",
                        "sslmode",
                        "disable",
                        "allow",
                        "prefer",
                        "require",
                        "verify-ca",
                        "verify-full"),
                plain("sslrootcert", "PGSSLROOTCERT", "sslrootcert"),
                plain("sslcert", "PGSSLCERT", "sslcert"),
                plain("sslkey", "PGSSLKEY", "sslkey"),
                plain("sslpassword", "", "sslpassword"),
                same("sslnegotiation", "PGSSLNEGOTIATION", "sslNegotiation", "postgres", "direct"),
                same("gssencmode", "PGGSSENCMODE", "gssEncMode", "disable", "prefer", "require"),
                plain("krbsrvname", "PGKRBSRVNAME", "kerberosServerName"),
                same("channel_binding", "PGCHANNELBINDING", "channelBinding", "disable", "prefer", "require"),
                plain("require_auth", "PGREQUIREAUTH", "requireAuth"));
    }

    private static List<LibpqParameter> ofSession() {
        return List.of(
                plain("connect_timeout", "PGCONNECT_TIMEOUT", "connectTimeout"),
                plain("options", "PGOPTIONS", "options"),
                values(
                        "target_session_attrs",
                        "PGTARGETSESSIONATTRS",
                        "targetServerType",
                        Map.of(
                                "any", "any",
                                "read-write", "primary",
                                "primary", "primary",
                                "read-only", "secondary",
                                "standby", "secondary",
                                "prefer-standby", "preferSecondary")),
                values(
                        "load_balance_hosts",
                        "PGLOADBALANCEHOSTS",
                        "loadBalanceHosts",
                        Map.of("disable", "false", "random", "true")),
                values("keepalives", "", "tcpKeepAlive", Map.of("0", "false", "1", "true")),
                values("client_encoding", "", "", Map.of("auto", "", "utf8", "", "UTF8", "", "UTF-8", "")),
                plain("fallback_application_name", "", ""));
    }

    private static List<LibpqParameter> refused() {
        return List.of(
                refused("application_name", "", "the sessions of a load are named pgstress; leave it out"),
                refused("passfile", "", "set PGPASSFILE instead"),
                refused("sslcrl", "PGSSLCRL", NO_PROPERTY),
                refused("sslcrldir", "PGSSLCRLDIR", NO_PROPERTY),
                refused("requirepeer", "PGREQUIREPEER", NO_PROPERTY),
                refused("ssl_min_protocol_version", "PGSSLMINPROTOCOLVERSION", NO_PROPERTY),
                refused("ssl_max_protocol_version", "PGSSLMAXPROTOCOLVERSION", NO_PROPERTY),
                refused("sslcertmode", "PGSSLCERTMODE", NO_PROPERTY),
                refused("sslcompression", "", NO_PROPERTY),
                refused("sslsni", "", NO_PROPERTY),
                refused("gsslib", "", NO_PROPERTY),
                refused("gssdelegation", "", NO_PROPERTY),
                refused("keepalives_idle", "", NO_PROPERTY),
                refused("keepalives_interval", "", NO_PROPERTY),
                refused("keepalives_count", "", NO_PROPERTY),
                refused("tcp_user_timeout", "", NO_PROPERTY),
                refused("replication", "", "sessions of a load run SQL; leave it out"));
    }

    private static LibpqParameter plain(String keyword, String variable, String property) {
        return values(keyword, variable, property, Map.of());
    }

    private static LibpqParameter same(String keyword, String variable, String property, String... values) {
        Map<String, String> same = new LinkedHashMap<>();
        Stream.of(values).forEach(value -> same.put(value, value));
        return values(keyword, variable, property, same);
    }

    private static LibpqParameter values(String keyword, String variable, String property, Map<String, String> values) {
        return new LibpqParameter(keyword, variable, property, values, "");
    }

    private static LibpqParameter refused(String keyword, String variable, String why) {
        return new LibpqParameter(keyword, variable, "", Map.of(), why);
    }

    private LibpqParameters() {}

    /** All of them. */
    static Iterable<LibpqParameter> all() {
        return ALL.values();
    }

    /**
     * The parameter of this name.
     *
     * @throws IllegalArgumentException if there is none, or if it cannot be used
     */
    static LibpqParameter named(String keyword) {
        LibpqParameter known = ALL.get(keyword);
        if (known == null) {
            throw new IllegalArgumentException("'" + keyword + "' is not a connection parameter of libpq"
                    + Nearest.hint(keyword, ALL.keySet()) + "; a jdbc:postgresql: URL can have the driver's own");
        }
        known.objection().ifPresent(objection -> {
            throw new IllegalArgumentException(objection);
        });
        return known;
    }

    /**
     * A connection parameter of libpq (PostgreSQL's manual, 34.1.2 and 34.15).
     *
     * @param keyword its name in connection strings and service files
     * @param variable its environment variable; an empty string: it has none, or the variable has no effect here
     * @param property the driver's property for it; an empty string: it is part of the URL, is ignored, or is refused
     * @param values its values, each with the driver's; empty: any, with the same for the driver
     * @param refusal why it cannot be used; an empty string: it can
     */
    record LibpqParameter(
            String keyword, String variable, String property, Map<String, String> values, String refusal) {
        /** Why it cannot be used. */
        Optional<String> objection() {
            return refusal.isEmpty() ? Optional.empty() : Optional.of(keyword + " cannot be used: " + refusal);
        }

        /**
         * The driver's value.
         *
         * @throws IllegalArgumentException if this is not one of its values
         */
        String driversValue(String value) {
            if (keyword.equals("connect_timeout")) {
                return seconds(value);
            }
            String drivers = values.isEmpty() ? value : values.get(value);
            if (drivers == null) {
                throw new IllegalArgumentException(keyword + " must be one of "
                        + String.join(", ", values.keySet().stream().sorted().toList()) + ", was '" + value + "'");
            }
            return drivers;
        }

        /** Without a limit if it is 0 or less, as with libpq. */
        private String seconds(String value) {
            try {
                return Integer.toString(Math.max(0, Integer.parseInt(value.trim())));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        keyword + " must be a whole number of seconds, was '" + value + "'", e);
            }
        }
    }
}
