package io.pgstress.explain;

import io.pgstress.result.StatementRoute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Describes statement routes in words. */
public final class PlanWords {
    private PlanWords() {}

    /**
     * One line per operation: what its statements do in one mode, and in the other modes if that differs.
     *
     * @param mode the mode to describe first
     */
    public static List<String> lines(List<StatementRoute> routes, String mode) {
        return byOperation(routes).values().stream().map(r -> line(r, mode)).toList();
    }

    private static Map<String, List<StatementRoute>> byOperation(List<StatementRoute> routes) {
        return routes.stream()
                .collect(Collectors.groupingBy(StatementRoute::operation, LinkedHashMap::new, Collectors.toList()));
    }

    private static String line(List<StatementRoute> routes, String mode) {
        List<StatementRoute> own =
                routes.stream().filter(r -> r.mode().equals(mode)).toList();
        StringBuilder line = new StringBuilder(routes.get(0).operation() + " " + mode + ": ");
        line.append(own.stream()
                .map(r -> (own.size() > 1 ? r.statement() + " " : "") + route(r, routes))
                .collect(Collectors.joining("; ")));
        for (String other : List.of("plain", "extended", "prepared")) {
            List<StatementRoute> others =
                    routes.stream().filter(r -> r.mode().equals(other)).toList();
            if (!other.equals(mode) && differ(own, others)) {
                line.append("; ").append(other).append(": ");
                line.append(others.stream()
                        .map(r -> (own.size() > 1 ? r.statement() + " " : "") + share(r))
                        .collect(Collectors.joining(", ")));
            }
        }
        return line.toString();
    }

    private static boolean differ(List<StatementRoute> own, List<StatementRoute> others) {
        for (int i = 0; i < Math.min(own.size(), others.size()); i++) {
            if (!Objects.equals(own.get(i).touchedLater(), others.get(i).touchedLater())
                    || !Objects.equals(own.get(i).touched(), others.get(i).touched())) {
                return true;
            }
        }
        return false;
    }

    /** Where a statement goes, by what plan, and how it commits. */
    static String route(StatementRoute r, List<StatementRoute> all) {
        if (r.error() != null) {
            return "not explained: " + r.error();
        }
        List<String> parts = new ArrayList<>();
        if (!r.unit().equals("table")) {
            parts.add(way(r) + share(r) + (isForParameter(r, all) ? " (bind parameter)" : ""));
        }
        if (r.nodesOf() > 0 && r.unit().equals("shards") && !r.nodes().isEmpty()) {
            parts.add(r.nodes().size() + " of " + r.nodesOf() + " nodes");
        }
        String scan = scan(r, all);
        if (!scan.isEmpty()) {
            parts.add(scan);
        }
        if (r.mode().equals("prepared") && !r.plan().equals("unknown")) {
            parts.add(r.plan().equals("generic") ? "custom plan, generic from the sixth on" : "custom plan");
        }
        if (!r.commit().equals("none") && !r.commit().equals("unknown")) {
            parts.add(r.commit() + " commit");
        }
        return String.join(", ", parts);
    }

    /** How the rows are found; if a bound statement's plan does not show it, taken from the plan with literals. */
    private static String scan(StatementRoute r, List<StatementRoute> all) {
        if (!r.scans().isEmpty()) {
            return String.join(" and ", r.scans());
        }
        return all.stream()
                .filter(o -> o.mode().equals("plain")
                        && o.operation().equals(r.operation())
                        && o.statement().equals(r.statement())
                        && !o.scans().isEmpty())
                .findFirst()
                .map(o -> String.join(" and ", o.scans()) + " with literals, otherwise not shown")
                .orElse("");
    }

    private static String way(StatementRoute r) {
        Integer touched = r.touchedLater();
        if (touched == null) {
            return "";
        }
        return touched == 1 ? "routed to " : touched == r.of() ? "broadcast to " : "sent to ";
    }

    private static String share(StatementRoute r) {
        if (r.error() != null) {
            return "not explained";
        }
        if (r.touched() == null || r.touchedLater() == null) {
            return "not shown";
        }
        String share = r.touchedLater() + " of " + r.of() + " " + r.unit();
        return r.touched().equals(r.touchedLater()) ? share : r.touched() + ", from the sixth execution on " + share;
    }

    /** Whether the statement with literals would go to fewer places. */
    private static boolean isForParameter(StatementRoute r, List<StatementRoute> all) {
        return all.stream()
                .anyMatch(o -> o.mode().equals("plain")
                        && o.operation().equals(r.operation())
                        && o.statement().equals(r.statement())
                        && o.touched() != null
                        && r.touchedLater() != null
                        && o.touched() < r.touchedLater());
    }

    /** One line for a statement in one mode, for the explain command. */
    public static String whole(StatementRoute r, List<StatementRoute> all) {
        return r.operation() + " " + r.statement() + " " + r.mode() + ": "
                + (r.unit().equals("table") ? "one server, " : "") + route(r, all);
    }
}
