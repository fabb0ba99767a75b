package io.pgstress.compare;

import io.pgstress.result.Comparison;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a figure of a variant is about that may explain a difference. Results name it by {@link #inResults}. */
sealed interface Fact {
    /** Its name in results, which contains the unit. */
    String inResults();

    /** A variant has each of these figures at most once. They are per successful operation unless stated otherwise. */
    enum Figure implements Fact {
        /** Operations per second. */
        RATE("operationsPerSecond"),
        ROUND_TRIPS("roundTripsPerOperation"),
        PARSED("parsedStatementsPerOperation"),
        BYTES_IN("bytesInPerOperation"),
        BYTES_OUT("bytesOutPerOperation"),
        CLIENT_CPU("clientCpuMicrosPerOperation"),
        TOTAL("totalMicrosPerOperation"),
        SERVER_CPU("serverCpuMicrosPerOperation"),
        ACQUIRE("acquireMicrosPerOperation"),
        SERVER_STATEMENTS("serverStatementsPerOperation"),
        SERVER_TIME("serverExecMicrosPerOperation"),
        BLOCKS_HIT("statementsBlocksHitPerOperation"),
        BLOCKS_READ("statementsBlocksReadPerOperation"),
        WAL(Comparison.WAL_PER_OPERATION),
        NODE_STATEMENTS("nodeStatementsPerOperation"),
        TWO_PHASE("twoPhaseCommitsPerOperation"),

        /** A lower bound of the two-phase commits, for nodes that dropped some of their counts. */
        TWO_PHASE_AT_LEAST("twoPhaseCommitsAtLeastPerOperation"),

        /** The share of plans that are generic. */
        GENERIC("genericPlanShare"),

        /** The share of statements counted for the run's role that the run did not send. */
        OTHERS("otherStatementsShare"),

        /** Clients in operations, on average, for each CPU of the client's machine. */
        CLIENTS_PER_CPU("clientsPerClientCpu");

        private final String inResults;

        Figure(String inResults) {
            this.inResults = inResults;
        }

        @Override
        public String inResults() {
            return inResults;
        }
    }

    /**
     * How many of its shards or nodes a statement touches, averaged over the blocks.
     *
     * @param statement the operation and the statement
     * @param of the total number
     */
    record Touched(String statement, int of, String unit) implements Fact {
        @Override
        public String inResults() {
            return "touched " + statement + " of " + of + " " + unit;
        }
    }

    /** What is measured of a node. */
    enum NodeFigure {
        /** The share of the time of all cores. */
        CPU_BUSY("cpuBusy"),

        /** The share of the time in which its CPU quota was used up. */
        THROTTLED("cpuQuotaThrottled"),

        /** The cores that it used of its CPU quota. */
        CORES("cpuQuotaCoresUsed");

        private final String inResults;

        NodeFigure(String inResults) {
            this.inResults = inResults;
        }
    }

    /** A figure of a node. */
    record OfNode(NodeFigure figure, String node) implements Fact {
        @Override
        public String inResults() {
            return figure.inResults + " " + node;
        }
    }

    /**
     * The share of blocks in which a statement's rows were found in this way.
     *
     * @param statement the operation and the statement
     */
    record Scans(String statement, String scans) implements Fact {
        @Override
        public String inResults() {
            return "plan " + statement + ": " + scans;
        }
    }

    /** The share of the sessions' time that they spent in this state or waited for this. */
    record SessionWait(String waitsFor) implements Fact {
        @Override
        public String inResults() {
            return "waitShare " + waitsFor;
        }
    }

    /** Which of an operation's executions are sampled. */
    enum Speed {
        ORDINARY("ordinary"),
        SLOWEST("the slowest");

        private final String words;

        Speed(String words) {
            this.words = words;
        }
    }

    /** Executions of an operation. */
    record Group(Speed speed, String operation) {
        /** Such as {@code the slowest find_first}. */
        String words() {
            return speed.words + " " + operation;
        }
    }

    /** The number of operations of a group with a sample. */
    record Sampled(Group group) implements Fact {
        @Override
        public String inResults() {
            return "sampledOperationsOf " + group.words();
        }
    }

    /** The share of a group's time that was spent on a wait. */
    record OperationWait(Group group, String waitsFor) implements Fact {
        @Override
        public String inResults() {
            return "waitShareOf " + group.words() + ": " + waitsFor;
        }
    }

    /** The figures by their names in results. */
    static Map<String, Double> toResults(Map<Fact, Double> facts) {
        Map<String, Double> all = new LinkedHashMap<>();
        facts.forEach((fact, value) -> all.put(fact.inResults(), value));
        return all;
    }

    /** The figures of a result; those with names of another version are left out. */
    static Map<Fact, Double> ofResults(Map<String, Double> figures) {
        Map<Fact, Double> all = new LinkedHashMap<>();
        figures.forEach((name, value) -> Form.fact(name).ifPresent(fact -> all.put(fact, value)));
        return all;
    }

    /** The names in results: the only place that reads them. */
    enum Form {
        FIGURE("\\w+") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return Stream.of(Figure.values())
                        .filter(figure -> figure.inResults.equals(name.group()))
                        .map(figure -> (Fact) figure)
                        .findFirst();
            }
        },
        TOUCHED("touched (.*) of (\\d+) (\\w+)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return Optional.of(new Touched(name.group(1), Integer.parseInt(name.group(2)), name.group(3)));
            }
        },
        OF_NODE("(" + joined(NodeFigure.values(), figure -> figure.inResults) + ") (.*)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return Stream.of(NodeFigure.values())
                        .filter(figure -> figure.inResults.equals(name.group(1)))
                        .map(figure -> (Fact) new OfNode(figure, name.group(2)))
                        .findFirst();
            }
        },
        SCANS("plan (.*?): (.*)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return Optional.of(new Scans(name.group(1), name.group(2)));
            }
        },
        SESSION_WAIT("waitShare (.*)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return Optional.of(new SessionWait(name.group(1)));
            }
        },
        SAMPLED("sampledOperationsOf " + groups() + " (.*)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return group(name).map(Sampled::new);
            }
        },
        OPERATION_WAIT("waitShareOf " + groups() + " (.*?): (.*)") {
            @Override
            Optional<Fact> read(MatchResult name) {
                return group(name).map(group -> new OperationWait(group, name.group(3)));
            }
        };

        private final Pattern pattern;

        Form(String pattern) {
            this.pattern = Pattern.compile(pattern);
        }

        abstract Optional<Fact> read(MatchResult name);

        private static Optional<Fact> fact(String name) {
            for (Form form : values()) {
                Matcher matcher = form.pattern.matcher(name);
                if (matcher.matches()) {
                    return form.read(matcher);
                }
            }
            return Optional.empty();
        }

        private static String groups() {
            return "(" + joined(Speed.values(), speed -> speed.words) + ")";
        }

        private static Optional<Group> group(MatchResult name) {
            return Stream.of(Speed.values())
                    .filter(speed -> speed.words.equals(name.group(1)))
                    .map(speed -> new Group(speed, name.group(2)))
                    .findFirst();
        }

        private static <T> String joined(T[] all, Function<T, String> name) {
            return String.join("|", Stream.of(all).map(name).toList());
        }
    }
}
