package io.pgstress.cli.complete;

import io.pgstress.plan.option.Forms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;

/** The shells that have completion, each with its script: a resource, in which the lines {@code #MODEL name} stand for the commands. */
public enum Shell {
    BASH,
    ZSH,
    FISH;

    /**
     * The shell of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Shell named(String name) {
        return Forms.choice(Shell.class).read(name);
    }

    /**
     * The script.
     *
     * @param main the main command with all others
     * @param connection the options that determine the server whose tables are proposed
     */
    public String script(CommandLine main, List<String> connection) {
        String extension = name().toLowerCase(Locale.ROOT);
        String text = resource("/completion/stress." + extension);
        for (Map.Entry<String, String> part : model(CommandEntry.all(main)).entrySet()) {
            text = text.replace("#MODEL " + part.getKey() + "\n", part.getValue());
        }
        return text.replace("@CONNECTION@", String.join(" ", connection));
    }

    private Map<String, String> model(List<CommandEntry> commands) {
        return switch (this) {
            case BASH -> BashModel.of(commands);
            case ZSH -> ZshModel.of(commands);
            case FISH -> FishModel.of(commands);
        };
    }

    private static String resource(String path) {
        try (InputStream in = Shell.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** A word in single quotes, as bash and zsh read it. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
