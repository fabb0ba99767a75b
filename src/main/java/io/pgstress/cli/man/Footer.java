package io.pgstress.cli.man;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The lists at the end of a command's help, such as that of the exit codes. */
record Footer(List<Section> sections) {
    private static final Pattern ENTRY = Pattern.compile("\\s+(\\S+)\\s+(\\S.*)");

    /** Wider than any line, which picocli would wrap. */
    private static final int WIDTH = 1000;

    /** The titles of the sections of a man page, where they are not those of the help. */
    private static final Map<String, String> TITLES =
            Map.of("Exit codes", "Exit status", "Operations for --op", "Operations");

    /** A list with a title; its entries in their order. */
    record Section(String title, Map<String, String> entries) {}

    static Footer of(CommandSpec spec) {
        int width = spec.usageMessage().width();
        spec.usageMessage().width(WIDTH);
        IHelpSectionRenderer renderer = spec.usageMessage().sectionMap().get(UsageMessageSpec.SECTION_KEY_FOOTER);
        Help help = new Help(spec);
        String text = renderer == null ? help.footer() : renderer.render(help);
        spec.usageMessage().width(width);
        List<Section> sections = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                sections.get(sections.size() - 1).entries().put(entry.group(1), entry.group(2));
            } else if (!line.isBlank()) {
                String title = line.replaceFirst(":$", "");
                sections.add(new Section(TITLES.getOrDefault(title, title), new LinkedHashMap<>()));
            }
        }
        return new Footer(sections);
    }
}
