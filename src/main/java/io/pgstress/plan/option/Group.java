package io.pgstress.plan.option;

/** The headings of the help, in their order. */
public enum Group {
    WHAT("What to run"),
    LOAD("Load and phases"),
    SEARCH("Search for the number of clients"),
    COMPARISON("Comparison"),
    INPUT("Input"),
    SERVER("Server and connections"),
    CONVERSION("Conversion of documents"),
    TABLES("Tables"),
    REPORTS("Reports"),
    FAILURE("Failures"),
    OPERATION("Operations on documents"),
    WORKLOAD("Workloads with their own tables"),
    HOSTS("Several load generator hosts"),
    /** Options that all commands have, and those of commands with few options. */
    NONE("Options");

    private final String heading;

    Group(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }
}
