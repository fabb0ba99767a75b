package io.pgstress.target.embedded;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The directory in which the program keeps this user's data between commands. */
public final class DataHome {
    private DataHome() {}

    /** {@code PGSTRESS_HOME}, or the platform's directory for a user's data. */
    public static Path of(Map<String, String> environment) {
        String home = environment.get("PGSTRESS_HOME");
        if (home != null && !home.isEmpty()) {
            return Path.of(home).toAbsolutePath();
        }
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Path user = Path.of(System.getProperty("user.home", "."));
        if (os.contains("win")) {
            String local = environment.get("LOCALAPPDATA");
            return (local == null ? user.resolve("AppData/Local") : Path.of(local)).resolve("pgstress");
        }
        if (os.contains("mac")) {
            return user.resolve("Library/Application Support/pgstress");
        }
        String data = environment.get("XDG_DATA_HOME");
        return (data == null || data.isEmpty() ? user.resolve(".local/share") : Path.of(data)).resolve("pgstress");
    }
}
