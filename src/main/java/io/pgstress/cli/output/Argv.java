package io.pgstress.cli.output;

import java.util.List;
import java.util.regex.Pattern;

/** A command line without its secrets. */
public final class Argv {
    private static final Pattern PARAMETER = Pattern.compile("(?i)(password)=[^&]*?(?=&|,clients=\\d+$|$)");
    private static final Pattern USER_INFO = Pattern.compile("//([^/@:?]*):[^?]*@");

    private Argv() {}

    public static List<String> masked(List<String> argv) {
        return argv.stream()
                .map(a -> PARAMETER.matcher(a).replaceAll("$1=***"))
                .map(a -> USER_INFO.matcher(a).replaceAll("//$1:***@"))
                .toList();
    }
}
