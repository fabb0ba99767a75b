package io.pgstress.plan.scenario;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The problems of a scenario, in the order of its lines. */
final class ScenarioProblems {
    private static final Pattern LINE = Pattern.compile("line (\\d+): .*", Pattern.DOTALL);

    private ScenarioProblems() {}

    /**
     * Problems of both kinds. Those of the command line, which have no line, come first.
     *
     * @param ofForm syntax problems; other problems on the same lines are only consequences and are not reported
     * @param ofMeaning problems with the meaning
     */
    static List<String> byLine(Collection<String> ofForm, Collection<String> ofMeaning) {
        Set<Integer> unread = ofForm.stream().map(ScenarioProblems::line).collect(Collectors.toSet());
        List<String> all = new ArrayList<>(ofForm);
        ofMeaning.stream()
                .filter(p -> line(p) == 0 || !unread.contains(line(p)))
                .forEach(all::add);
        all.sort(Comparator.comparingInt(ScenarioProblems::line));
        return all;
    }

    private static int line(String problem) {
        Matcher line = LINE.matcher(problem);
        return line.matches() ? Integer.parseInt(line.group(1)) : 0;
    }
}
