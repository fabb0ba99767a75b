package io.pgstress.cli;

import io.pgstress.plan.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command line without its secrets. */
public final class Argv {
    private static final Pattern PASSWORD = Pattern.compile("(?i)password\\s*=");
    private static final Pattern URL = Pattern.compile("(?i)jdbc:|://");
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
                .map(Argv::withoutPassword)
                .map(a -> USER_INFO.matcher(a).replaceAll("//$1:***@"))
                .toList();
    }

    /** A password ends at the next parameter of a URL. In a connection string, it may contain anything, so the rest goes too. */
    private static String withoutPassword(String word) {
        Matcher first = PASSWORD.matcher(word);
        if (!first.find() || URL.matcher(word.substring(0, first.start())).find()) {
            return PARAMETER.matcher(word).replaceAll("$1=***");
        }
        return word.substring(0, first.start()) + "password=***";
    }
}
