package io.pgstress.plan.option;

import java.util.List;

/**
 * An option of a run, the same on the command line ({@code --name}) and in a scenario ({@code name:}).
 *
 * @param name long name without dashes
 * @param letter short name, one letter, or an empty string
 * @param value what its value is called in the help; an empty string for a flag
 * @param defaultValue what holds when it is not given; an empty string where nothing is the default
 * @param repeats whether it may be given more than once
 * @param group the heading in the help
 * @param description one sentence for the help
 */
public record Option(
        String name,
        String letter,
        String value,
        String defaultValue,
        boolean repeats,
        Group group,
        String description) {

    /** The headings of the help, in their order. */
    public enum Group {
        WHAT("What is run"),
        LOAD("Load and phases"),
        SERVER("Server and connections"),
        FAILURE("Failures"),
        OPERATION("Operations"),
        WORKLOAD("Workloads with tables of their own");

        private final String heading;

        Group(String heading) {
            this.heading = heading;
        }

        public String heading() {
            return heading;
        }
    }

    /** Whether the option takes no value. */
    public boolean isFlag() {
        return value.isEmpty();
    }

    /** What holds when the option is not given, as values. */
    public List<String> defaults() {
        return defaultValue.isEmpty() ? List.of() : List.of(defaultValue);
    }
}
