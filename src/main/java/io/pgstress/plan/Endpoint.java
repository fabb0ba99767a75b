package io.pgstress.plan;

import java.util.regex.Pattern;

/**
 * A server to connect to.
 *
 * @param url a JDBC URL of the PostgreSQL driver; may hold a password, so never printed: see {@link #masked}
 * @param clients how many of the clients it gets; 0: an even share
 */
public record Endpoint(String url, int clients) {
    private static final Pattern SECRET = Pattern.compile("(?i)(password|sslpassword)=[^&]*");
    private static final Pattern USER_INFO = Pattern.compile("//[^/@]*@");

    /** The URL without its secrets. */
    public String masked() {
        return USER_INFO.matcher(SECRET.matcher(url).replaceAll("$1=***")).replaceAll("//***@");
    }

    @Override
    public String toString() {
        return masked() + (clients > 0 ? ",clients=" + clients : "");
    }
}
