package io.pgstress.cli;

import java.util.List;

/**
 * What the help of a command with many options shows, unless all of them are asked for: one screen of 24 lines.
 *
 * @param does what the command does
 * @param options the names of the most used ones
 */
record FirstScreen(String does, List<String> examples, List<String> options) {
    FirstScreen {
        examples = List.copyOf(examples);
        options = List.copyOf(options);
    }
}
