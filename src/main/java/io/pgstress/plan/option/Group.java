package io.pgstress.plan.option;

/** The headings of the help, in their order. */
public enum Group {
    /** Options without a heading. */
    NONE(""),
    INPUT("Input"),
    CONVERSION("Conversion of documents"),
    TABLES("Tables"),
    COMPARISON("Comparison"),
    WHAT("What to run"),
    LOAD("Load and phases"),
    SEARCH("Search for the number of clients"),
    SERVER("Server and connections"),
    HOSTS("Several stress hosts"),
    FAILURE("Failures"),
    OPERATION("Operations"),
    WORKLOAD("Workloads with tables of their own"),
    REPORTS("Reports");

    private final String heading;

    Group(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }
}
