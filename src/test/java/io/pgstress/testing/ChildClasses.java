package io.pgstress.testing;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The classes of {@link Child}, and an archive in which a JVM has them parsed (class-data sharing): with it, a short command needs a quarter less CPU
 * time. The first JVM that starts a child makes it for all JVMs of the build, and for each JDK. An archive contains no
 * classes of directories, so the program's are copied to a jar.
 */
final class ChildClasses {
    private static final Path PROGRAM = Path.of("target", "classes").toAbsolutePath();
    private static final Path DIRECTORY = Path.of("target", "child-classes").toAbsolutePath();

    /** Of a JVM that runs {@code Main}. */
    static final List<String> OPTIONS = options();

    private ChildClasses() {}

    private static List<String> options() {
        try {
            Files.createDirectories(DIRECTORY);
            try (FileChannel channel = FileChannel.open(
                            DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                Path jar = DIRECTORY.resolve("program-" + Integer.toHexString(version()) + ".jar");
                if (!Files.exists(jar)) {
                    writeJar(jar);
                }
                List<String> classes = List.of("-cp", classPath(jar));
                Path archive = Path.of(jar + "." + System.getProperty("java.vm.version") + ".jsa");
                if (!Files.exists(archive)) {
                    makeArchive(archive, classes);
                }
                // the JVM says on stdout why it does not use an archive, and does without
                List<String> options = new ArrayList<>(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off"));
                if (Runtime.version().feature() >= 24) {
                    options.add("-Xlog:aot*=off");
                }
                options.addAll(classes);
                return List.copyOf(options);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Of all files of the program. */
    private static int version() throws IOException {
        try (Stream<Path> files = Files.walk(PROGRAM)) {
            List<String> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                all.add(file + " " + Files.getLastModifiedTime(file));
            }
            return all.hashCode();
        }
    }

    private static void writeJar(Path jar) throws IOException {
        Path incomplete = DIRECTORY.resolve("incomplete.jar");
        try (OutputStream file = Files.newOutputStream(incomplete);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(PROGRAM)) {
            out.setLevel(0);
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new ZipEntry(PROGRAM.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, out);
                out.closeEntry();
            }
        }
        deleteEarlier();
        Files.move(incomplete, jar, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void deleteEarlier() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            for (Path file : files.filter(
                            each -> String.valueOf(each.getFileName()).startsWith("program-"))
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    /** That of this JVM, without the tests' own classes, and with a jar in the place of the program's. */
    private static String classPath(Path jar) {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.concat(
                        Stream.of(jar.toString()),
                        Arrays.stream(own.split(File.pathSeparator, -1))
                                .filter(part -> Files.isRegularFile(Path.of(part))))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Of the classes of a short run with reports. Children do without one that cannot be made. */
    private static void makeArchive(Path archive, List<String> classes) throws IOException, InterruptedException {
        // not a fresh one, which forgets the statements that a test may count
        TestServer.execute(
                TestServer.maintenanceUrl(),
                "drop database if exists child_classes with (force)",
                "create database child_classes");
        String url = TestServer.maintenanceUrl().replace("/postgres?", "/child_classes?");
        TestServer.table(url, "docs", 100);
        Path incomplete = DIRECTORY.resolve("incomplete.jsa");
        Path report = DIRECTORY.resolve("run.html");
        List<String> command = new ArrayList<>(Child.JVM);
        command.add("-XX:ArchiveClassesAtExit=" + incomplete);
        command.addAll(classes);
        command.addAll(List.of(Runs.words(
                "io.pgstress.cli.Main -t docs -c 2 --warmup 0 -T 200ms -P 100ms --html %s --json %s.json --url %s"
                        .formatted(report, report, url))));
        Path output = DIRECTORY.resolve("archive.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (process.waitFor(1, TimeUnit.MINUTES) && Files.exists(incomplete)) {
            Files.move(incomplete, archive, StandardCopyOption.ATOMIC_MOVE);
        } else {
            process.destroyForcibly();
            System.err.println("no archive of classes for children, which start later: see " + output);
        }
    }
}
