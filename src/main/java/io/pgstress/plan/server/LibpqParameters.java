package io.pgstress.plan.server;

import io.pgstress.plan.option.Nearest;
import io.pgstress.text.Secrets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The connection parameters of libpq 18. */
final class LibpqParameters {
    /**
     * Keyword, environment variable, the driver's property, and the values: the same ones, or each with the driver's after a colon; any
     * if none is listed. A dash: there is none, or it has no effect here (the driver's properties take PGPASSWORD).
     */
    private static final String USABLE = """
            host PGHOST -
            hostaddr PGHOSTADDR -
            port PGPORT -
            dbname PGDATABASE -
            user PGUSER user
            password - password
            service PGSERVICE -
            servicefile PGSERVICEFILE -
            sslmode PGSSLMODE sslmode disable allow prefer require verify-ca verify-full
            sslrootcert PGSSLROOTCERT sslrootcert
            sslcert PGSSLCERT sslcert
            sslkey PGSSLKEY sslkey
            sslpassword - sslpassword
            sslnegotiation PGSSLNEGOTIATION sslNegotiation postgres direct
            gssencmode PGGSSENCMODE gssEncMode disable prefer require
            krbsrvname PGKRBSRVNAME kerberosServerName
            channel_binding PGCHANNELBINDING channelBinding disable prefer require
            require_auth PGREQUIREAUTH requireAuth
            connect_timeout PGCONNECT_TIMEOUT connectTimeout
            options PGOPTIONS options
            target_session_attrs PGTARGETSESSIONATTRS targetServerType any read-write:primary primary \
            read-only:secondary standby:secondary prefer-standby:preferSecondary
            load_balance_hosts PGLOADBALANCEHOSTS loadBalanceHosts disable:false random:true
            keepalives - tcpKeepAlive 0:false 1:true
            client_encoding - - auto utf8 UTF8 UTF-8
            fallback_application_name - -
            """;

    /** Keyword, environment variable, and why it is refused. */
    private static final String REFUSED = """
            application_name - the sessions of a load are named pgstress
            passfile - PGPASSFILE names the file
            replication - sessions of a load run SQL
            """;

    /** Keyword and environment variable of parameters without a property of the driver. */
    private static final String UNKNOWN = """
            sslcrl PGSSLCRL
            sslcrldir PGSSLCRLDIR
            requirepeer PGREQUIREPEER
            ssl_min_protocol_version PGSSLMINPROTOCOLVERSION
            ssl_max_protocol_version PGSSLMAXPROTOCOLVERSION
            sslcertmode PGSSLCERTMODE
            sslcompression -
            sslsni -
            gsslib -
            gssdelegation -
            keepalives_idle -
            keepalives_interval -
            keepalives_count -
            tcp_user_timeout -
            """;

    private static final Map<String, LibpqParameter> ALL = byKeyword();

    private static Map<String, LibpqParameter> byKeyword() {
        Map<String, LibpqParameter> all = new LinkedHashMap<>();
        USABLE.lines().map(line -> line.split(" ", -1)).forEach(words -> {
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 3; i < words.length; i++) {
                String[] pair = words[i].split(":", -1);
                values.put(pair[0], pair[pair.length - 1]);
            }
            all.put(words[0], new LibpqParameter(words[0], optional(words[1]), optional(words[2]), values, ""));
        });
        Stream.concat(REFUSED.lines(), UNKNOWN.lines().map(line -> line + " the driver has no such parameter"))
                .map(line -> line.split(" ", 3))
                .forEach(words ->
                        all.put(words[0], new LibpqParameter(words[0], optional(words[1]), "", Map.of(), words[2])));
        return all;
    }

    private static String optional(String word) {
        return word.equals("-") ? "" : word;
    }

    private LibpqParameters() {}

    static Iterable<LibpqParameter> all() {
        return ALL.values();
    }

    /** Whether libpq has a parameter of this name, be it one that cannot be used here. */
    static boolean isOne(String keyword) {
        return ALL.containsKey(keyword);
    }

    /**
     * The parameter of this name.
     *
     * @throws IllegalArgumentException if there is none, or if it cannot be used
     */
    static LibpqParameter named(String keyword) {
        LibpqParameter known = ALL.get(keyword);
        if (known == null) {
            throw new IllegalArgumentException("'" + Secrets.masked(keyword)
                    + "' is not a connection parameter of libpq" + Nearest.hint(keyword, ALL.keySet())
                    + "; a jdbc:postgresql: URL can have the driver's own");
        }
        known.objection().ifPresent(objection -> {
            throw new IllegalArgumentException(objection + "; leave it out");
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
                        + String.join(", ", values.keySet().stream().sorted().toList()) + ", was '"
                        + Secrets.masked(value)
                        + "'");
            }
            return drivers;
        }

        /** Without a limit if it is 0 or less, as with libpq. */
        private String seconds(String value) {
            try {
                return Integer.toString(Math.max(0, Integer.parseInt(value.trim())));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        keyword + " must be a whole number of seconds, was '" + Secrets.masked(value) + "'", e);
            }
        }
    }
}
