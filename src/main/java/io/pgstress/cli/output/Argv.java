package io.pgstress.cli.output;

import io.pgstress.plan.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A command line without its secrets. */
public final class Argv {
    private static final Pattern PARAMETER = Pattern.compile("(?i)(password)\\s*=[^&]*?(?=&|,clients=\\d+$|$)");
    private static final Pattern USER_INFO = Pattern.compile("//([^/@:?]*):[^?]*@");

    private static final String COMMAND = "--" + ServerOptions.PASSWORD_COMMAND_NAME;

    private Argv() {}

    public static List<String> masked(List<String> argv) {
        List<String> words = new ArrayList<>(argv);
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i - 1).equals(COMMAND)) {
                words.set(i, "***");
            }
        }
        return words.stream()
                .map(a -> a.startsWith(COMMAND + "=") ? COMMAND + "=***" : a)
                .map(a -> PARAMETER.matcher(a).replaceAll("$1=***"))
                .map(a -> USER_INFO.matcher(a).replaceAll("//$1:***@"))
                .toList();
    }
}
