package io.pgstress.plan.option;

import java.util.ArrayList;
import java.util.List;

/** All that is wrong with an input, collected so that it is reported at once. Not thread-safe. */
public final class Problems {
    /**
     * One problem.
     *
     * @param option the option's name; an empty string: {@code what} names its place itself
     */
    public record Problem(String option, String what) {}

    private final List<Problem> list = new ArrayList<>();

    /** Notes what is wrong with an option. */
    public void add(Option<?> option, String what) {
        add(option.name(), what);
    }

    /** Notes what is wrong with an option, which need not exist. */
    public void add(String option, String what) {
        list.add(new Problem(option, what));
    }

    /** Notes problems that name their places themselves. */
    public void addAll(List<String> problems) {
        problems.forEach(p -> list.add(new Problem("", p)));
    }

    public List<Problem> list() {
        return List.copyOf(list);
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** @throws InvalidPlanException with every problem, each with its option of a command line */
    public void throwIfAny() {
        if (!list.isEmpty()) {
            throw new InvalidPlanException(list.stream()
                    .map(p -> p.option.isEmpty() ? p.what : "--" + p.option + ": " + p.what)
                    .toList());
        }
    }
}
