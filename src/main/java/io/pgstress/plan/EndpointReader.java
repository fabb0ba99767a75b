package io.pgstress.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The servers: {@code --url}, each with its clients, and {@code --hosts}. */
final class EndpointReader {
    private static final int DEFAULT_PORT = 5432;

    /** Parameters of the driver that an option decides, or that the counting of bytes needs. */
    private static final Map<String, String> INSTEAD = Map.of(
            "prepareThreshold", "--statement decides it",
            "preferQueryMode", "--query-mode decides it",
            "socketFactory", "bytes are counted by the run's own",
            "socketFactoryArg", "bytes are counted by the run's own");

    private static final Pattern OF_THE_RUN =
            Pattern.compile("[?&](prepareThreshold|preferQueryMode|socketFactory|socketFactoryArg)=");

    private EndpointReader() {}

    /** The endpoints that are named; none: the embedded server. */
    static List<Endpoint> read(OptionValues v) {
        return onHosts(urls(v), v);
    }

    /** The endpoints of {@code --hosts}, each as the one that {@code --url} names, or the endpoints as they are. */
    private static List<Endpoint> onHosts(List<Endpoint> named, OptionValues v) {
        String hosts = v.text("hosts");
        if (hosts.isEmpty()) {
            return named;
        }
        if (named.size() > 1) {
            v.problem("hosts", "takes one --url, for the rest of it");
        }
        Endpoint like = named.isEmpty() ? new Endpoint("jdbc:postgresql://localhost/", 0) : named.get(0);
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            try {
                endpoints.add(at(like, host));
            } catch (NumberFormatException e) {
                v.problem("hosts", "must be HOST:PORT,..., was '" + host + "'");
            }
        }
        return List.copyOf(endpoints);
    }

    private static Endpoint at(Endpoint like, String host) {
        int colon = host.lastIndexOf(':');
        int port = colon < 0
                ? DEFAULT_PORT
                : Integer.parseInt(host.substring(colon + 1).trim());
        String name = (colon < 0 ? host : host.substring(0, colon)).trim();
        if (name.isEmpty() || port < 1 || port > 65_535) {
            throw new NumberFormatException();
        }
        return like.exactlyAt(name, port);
    }

    private static List<Endpoint> urls(OptionValues v) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String text : v.list("url")) {
            int comma = text.lastIndexOf(",clients=");
            String url = comma < 0 ? text : text.substring(0, comma);
            int clients = 0;
            if (comma >= 0) {
                try {
                    clients = Integer.parseInt(text.substring(comma + ",clients=".length()));
                    if (clients < 1) {
                        throw new NumberFormatException();
                    }
                } catch (NumberFormatException e) {
                    v.problem(
                            "url",
                            "clients= must be a whole number of at least 1 in '" + new Endpoint(text, 0).masked()
                                    + "'");
                }
            }
            if (url.startsWith("postgresql://") || url.startsWith("postgres://")) {
                url = "jdbc:postgresql://" + url.substring(url.indexOf("://") + 3);
            }
            if (!url.startsWith("jdbc:postgresql:")) {
                v.problem("url", "must begin with jdbc:postgresql:, was '" + new Endpoint(url, 0).masked() + "'");
            }
            Matcher ours = OF_THE_RUN.matcher(url);
            if (ours.find()) {
                v.problem("url", "must not have the parameter " + ours.group(1) + ": " + INSTEAD.get(ours.group(1)));
            }
            endpoints.add(new Endpoint(url, clients));
        }
        return List.copyOf(endpoints);
    }
}
