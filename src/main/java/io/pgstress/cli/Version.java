package io.pgstress.cli;

import io.pgstress.target.driver.Connector;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** This program's version. */
public final class Version {
    private static final List<String> OPTIONS = List.of("--version", "-V", "version");

    private Version() {}

    /** Whether the arguments ask for nothing else, so that no command line need be parsed. */
    public static boolean isAsked(List<String> args) {
        return args.size() == 1 && OPTIONS.contains(args.get(0));
    }

    /** Prints the lines of {@code --version}. */
    public static void print(PrintStream out) {
        for (String line : lines()) {
            out.println(line);
        }
    }

    public static String[] lines() {
        return new String[] {
            "pgstress " + number(),
            Connector.driverVersion(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name")
        };
    }

    /** The number alone. */
    public static String number() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
