package io.pgstress.target.embedded;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer.PrivateDirectory;
import io.pgstress.target.embedded.EmbeddedServer.TemporaryDirectory;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The servers that a machine has: those that packages install, and the publisher's builds in the local Maven repository. Nothing is
 * downloaded.
 *
 * @param dataHome the user's data directory, where builds are unpacked and kept
 * @param check throws after a signal
 * @param packages the folders of packages, with {@code %s} for the major version
 * @param path the folders in which the system looks for programs
 * @param repository the local Maven repository
 */
record InstalledServers(Path dataHome, Runnable check, List<String> packages, List<Path> path, Path repository) {
    /** System property, as of Maven: its local repository. */
    private static final String REPOSITORY = "maven.repo.local";

    /** Where the major version is in a folder or command. */
    private static final String VERSION = "%s";

    private static final String GROUP = "io.zonky.test.postgres";
    private static final ServerArchive ARCHIVE = ServerArchive.ofThisPlatform();
    private static final List<String> PROGRAMS = List.of("postgres", "initdb", "pg_ctl");
    private static final int FIRST_OF_ONE_NUMBER = 10;

    private static final List<String> PACKAGES = List.of(
            "/usr/lib/postgresql/%s/bin", // Debian, Ubuntu
            "/usr/pgsql-%s/bin", // the PostgreSQL project's RPMs
            "/usr/lib/postgresql%s/bin", // SUSE
            "/opt/homebrew/opt/postgresql@%s/bin", // Homebrew on ARM
            "/usr/local/opt/postgresql@%s/bin", // Homebrew on Intel
            "/Library/PostgreSQL/%s/bin", // EDB's installers
            "/opt/PostgreSQL/%s/bin",
            "C:\\Program Files\\PostgreSQL\\%s\\bin");

    /** What installs a major version, if the machine has the program. */
    private record PackageManager(String program, String command, boolean needsRoot) {
        static final List<PackageManager> ALL = List.of(
                new PackageManager("apt-get", "apt-get install postgresql-%s", true),
                new PackageManager("dnf", "dnf install postgresql%s-server", true),
                new PackageManager("yum", "yum install postgresql%s-server", true),
                new PackageManager("zypper", "zypper install postgresql%s-server", true),
                new PackageManager("brew", "brew install postgresql@%s", false),
                new PackageManager("winget", "winget install PostgreSQL.PostgreSQL.%s", false));

        String toInstall(String major) {
            return (needsRoot && !PgCtl.isRoot() ? "sudo " : "") + command.replace(VERSION, major);
        }
    }

    /** Those of this machine. */
    static InstalledServers ofThisMachine(Path dataHome, Runnable check) {
        String set = System.getProperty(REPOSITORY, "");
        return new InstalledServers(
                dataHome,
                check,
                PACKAGES,
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .filter(folder -> !folder.isBlank())
                        .map(Path::of)
                        .toList(),
                set.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".m2", "repository") : Path.of(set));
    }

    /** @throws TargetException if it is not there; the message says how to get it */
    ServerBuild find(ServerRequest request) {
        String name = request.buildName();
        try {
            if (request.isVersion()) {
                return ofVersion(name).orElseThrow(() -> new TargetException(missing(name)));
            }
            Path bin = Path.of(name);
            for (String program : PROGRAMS) {
                if (!contains(bin, program)) {
                    throw new TargetException("--server: " + bin + " does not contain " + program
                            + "; name a folder such as /usr/lib/postgresql/17/bin");
                }
            }
            return ServerBuild.inFolder(bin);
        } catch (IOException e) {
            throw new TargetException(
                    "cannot find " + request + ", or unpack it into " + dataHome + ": " + EmbeddedServer.reason(e), e);
        }
    }

    private Optional<ServerBuild> ofVersion(String version) throws IOException {
        String major = major(version);
        if (major.equals(EmbeddedServer.MAJOR)) {
            Optional<ServerBuild> bundled = bundled();
            if (bundled.isPresent() && is(version, PgCtl.version(bundled.get().bin()))) {
                return bundled;
            }
        }
        for (Path bin : folders(major)) {
            if (PROGRAMS.stream().allMatch(program -> contains(bin, program)) && is(version, PgCtl.version(bin))) {
                return Optional.of(ServerBuild.inFolder(bin));
            }
        }
        Optional<String> newest = newest(version, jarVersions());
        return newest.isPresent() ? Optional.of(ofJar(newest.get())) : Optional.empty();
    }

    /** The folders that may have a version's programs: first those of packages. Packages of clients use some of them, too. */
    private Set<Path> folders(String major) {
        Set<Path> folders = new LinkedHashSet<>();
        packages.stream()
                .map(folder -> Path.of(folder.replace(VERSION, major)))
                .filter(Path::isAbsolute) // others are of another system
                .forEach(folders::add);
        folders.addAll(path);
        return folders;
    }

    private static boolean contains(Path bin, String program) {
        return Files.isRegularFile(bin.resolve(program)) || Files.isRegularFile(bin.resolve(program + ".exe"));
    }

    /** Whether a release such as 17.5 is what was asked for: the same, or one of the major version. */
    private static boolean is(String requested, String release) {
        return release.equals(requested) || release.startsWith(requested + ".");
    }

    private static Optional<String> newest(String requested, List<String> releases) {
        return releases.stream().filter(release -> is(requested, release)).max(Comparator.comparing(Version::parse));
    }

    /** 17 of 17.5, and 9.6 of 9.6.24. */
    private static String major(String version) {
        String[] numbers = version.split("\\.", -1);
        return numbers.length == 1 || Integer.parseInt(numbers[0]) >= FIRST_OF_ONE_NUMBER
                ? numbers[0]
                : numbers[0] + "." + numbers[1];
    }

    /** Those of this program's jar; empty if it has none. */
    private Optional<ServerBuild> bundled() throws IOException {
        Optional<Path> folder = EmbeddedServer.unpackedBefore();
        if (folder.isPresent()) {
            return Optional.of(ServerBuild.inFolder(folder.get()));
        }
        if (!ServerArchive.isBundled()) {
            return Optional.empty();
        }
        byte[] archive = resource(ARCHIVE.resource());
        return Optional.of(unpacked("bundled", "bundled", archive, new ByteArrayInputStream(archive)));
    }

    private Path artifact() {
        return repository.resolve(GROUP.replace('.', '/')).resolve(ARCHIVE.artifact());
    }

    private Path jar(String version) {
        return artifact().resolve(version).resolve(ARCHIVE.artifact() + "-" + version + ".jar");
    }

    /** The versions of the publisher's builds for this platform that the local repository has. */
    private List<String> jarVersions() throws IOException {
        if (!Files.isDirectory(artifact())) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(artifact())) {
            return folders.map(folder -> String.valueOf(folder.getFileName()))
                    .filter(version -> Files.isRegularFile(jar(version)))
                    .toList();
        }
    }

    private ServerBuild ofJar(String version) throws IOException {
        Path jar = jar(version);
        byte[] content = Files.readAllBytes(jar);
        ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(content));
        for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
            if (entry.getName().equals(ARCHIVE.resource())) {
                return unpacked(version, jar.toString(), content, entries);
            }
        }
        throw new TargetException(jar + " does not contain " + ARCHIVE.resource());
    }

    /**
     * The programs of an archive, unpacked once.
     *
     * @param name of the folder that keeps them
     * @param source the content of the file they are from; another one replaces what was unpacked
     */
    private ServerBuild unpacked(String name, String origin, byte[] source, InputStream archive) throws IOException {
        Path builds = dataHome.resolve("builds");
        Path home = builds.resolve(name);
        Path checksum = home.resolve("checksum");
        ServerBuild build = new ServerBuild(home.resolve("bin"), origin, ServerBuild.sha256(source));
        if (Files.exists(checksum) && Files.readString(checksum).equals(build.sha256())) {
            return build;
        }
        check.run();
        Path made = TemporaryDirectory.make(dataHome);
        try {
            ARCHIVE.unpack(archive, made);
            Files.writeString(made.resolve("checksum"), build.sha256());
            Files.createDirectories(builds);
            PrivateDirectory.secure(builds);
            EmbeddedServer.deleteAll(home);
            Files.move(made, home);
        } finally {
            EmbeddedServer.deleteAll(made);
        }
        return build;
    }

    /** How to get a version: with the machine's package manager, which has the newest release of each, or with Maven. */
    private String missing(String version) {
        String major = major(version);
        List<String> ways = new ArrayList<>();
        if (version.equals(major) && !major.contains(".")) {
            PackageManager.ALL.stream()
                    .filter(manager -> path.stream().anyMatch(folder -> contains(folder, manager.program())))
                    .findFirst()
                    .ifPresent(manager -> ways.add("install it with '" + manager.toInstall(major) + "'"));
        }
        newest(version, published()).ifPresent(release -> ways.add("get its programs with '" + toGet(release) + "'"));
        ways.add("name the folder of its programs");
        return "--server: PostgreSQL " + version + " is not installed: " + String.join("; or ", ways);
    }

    private String toGet(String release) {
        boolean isSet = !System.getProperty(REPOSITORY, "").isEmpty();
        return "mvn dependency:get -Dartifact=" + GROUP + ":" + ARCHIVE.artifact() + ":" + release
                + (isSet ? " -D" + REPOSITORY + "=" + repository : "");
    }

    /** The publisher's builds for this platform that were known when this program was made. */
    static List<String> published() {
        String platform = ARCHIVE.platform() + " ";
        try {
            return new String(resource("embedded/builds.txt"), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(platform))
                    .map(line -> line.substring(platform.length()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = InstalledServers.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IOException("the jar does not contain " + name);
            }
            return in.readAllBytes();
        }
    }
}
