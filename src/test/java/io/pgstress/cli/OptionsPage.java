package io.pgstress.cli;

import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The page docs/options.md, made from the options of all commands. */
final class OptionsPage {
    private static final List<String> HEAD = List.of(
            "# Options",
            "",
            "This page is generated from the options of the program. `stress --help` and `stress COMMAND --help`",
            "show the most used ones, `stress --help-all` those of a run, and `stress COMMAND --help-all` those of a command. `stress run` is `stress`.",
            "",
            "- Times are numbers of seconds or have a unit, as in `500ms`, `90s`, `5m` and `1h`.",
            "- `FILE` of a report can be `-` for stdout.",
            "- `compare`, `tune`, `explain` and `rehearse` take the options of a run too. In `compare`, `--warmup` is 1 s by default.",
            "- `--threads` is another name of `--clients`, and `--max-threads` of `--max-clients`, also in scenarios.",
            "- All commands have `-h, --help`, `-V, --version` and `--color WHEN`. Exit codes are in [Use in CI](ci.md#exit-codes).");

    /** The page about a group of options. */
    private static final Map<Group, String> PAGES = Map.of(
            Group.WHAT, "[Running a load](running.md)",
            Group.SERVER, "[Connecting](connecting.md)",
            Group.HOSTS, "[Several hosts](fleet.md)",
            Group.WORKLOAD, "[Workloads](workloads.md)",
            Group.REPORTS, "[Reports](reports.md)",
            Group.COMPARISON, "[Comparing variants](comparisons.md)",
            Group.SEARCH, "[Tuning](tuning.md)",
            Group.CONVERSION, "[Importing a dump](import.md)");

    private final List<String> lines = new ArrayList<>(HEAD);
    private final Set<List<String>> described = new HashSet<>();

    private OptionsPage() {}

    static String text() {
        Streams streams = new Streams(System.out, System.err);
        OptionsPage page = new OptionsPage();
        page.add("Options of a run", "", new RunCommand(streams));
        for (Subcommand each : Subcommand.values()) {
            Command command = (Command) Commands.spec(each, streams).userObject();
            if (!each.isHidden() && command.listed().size() > 1) {
                page.add(each.label(), each.label() + ": ", command);
            }
        }
        page.add("agent keys", "agent keys: ", new AgentKeysCommand(streams));
        return String.join("\n", page.lines) + "\n";
    }

    private void add(String heading, String prefix, Command command) {
        lines.addAll(List.of("", "## " + heading));
        List<Option<?>> options = command.listed().stream()
                .filter(option -> !option.name().equals("color"))
                .toList();
        List<String> known = options.stream()
                .filter(option -> described.contains(about(option)))
                .map(option -> "`" + option + "`")
                .toList();
        if (!known.isEmpty()) {
            lines.addAll(List.of("", "As above: " + String.join(", ", known) + "."));
        }
        for (Group group : Group.values()) {
            List<String> rows = options.stream()
                    .filter(option -> option.group() == group && described.add(about(option)))
                    .map(option -> row(option, command.users().getOrDefault(option, List.of())))
                    .toList();
            if (!rows.isEmpty()) {
                lines.addAll(List.of("", "### " + prefix + group.heading(), ""));
                if (PAGES.containsKey(group)) {
                    lines.addAll(List.of("See " + Objects.requireNonNull(PAGES.get(group)) + ".", ""));
                }
                lines.addAll(List.of("| option | argument | default | meaning |", "|---|---|---|---|"));
                lines.addAll(rows);
            }
        }
    }

    /** Equal for options that the page describes alike. */
    private static List<String> about(Option<?> option) {
        return List.of(
                option.name(),
                option.brief(),
                option.details(),
                option.defaults().toString());
    }

    private static String row(Option<?> option, List<String> users) {
        String letter = option.letter().isEmpty() ? "" : "-" + option.letter() + ", ";
        String only = users.isEmpty()
                ? ""
                : (option.details().isEmpty() ? ". " : " ") + "For " + String.join(", ", HelpText.families(users))
                        + ".";
        String byDefault = option.isFlag() ? "" : String.join(",", option.defaults());
        String meaning = option.brief() + (option.details().isEmpty() ? "" : ". " + option.details()) + only;
        return "| `" + letter + "--" + option.name() + "` | " + code(option.label()) + " | " + code(byDefault) + " | "
                + meaning.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;") + " |";
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text.replace("|", "\\|") + "`";
    }
}
