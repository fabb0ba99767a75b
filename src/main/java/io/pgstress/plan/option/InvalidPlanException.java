package io.pgstress.plan.option;

import java.util.List;

/** A plan that cannot be run; its message is one line a problem. */
public final class InvalidPlanException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    public InvalidPlanException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    public InvalidPlanException(String problem) {
        this(List.of(problem));
    }

    public List<String> problems() {
        return problems;
    }
}
