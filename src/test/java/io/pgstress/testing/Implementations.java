package io.pgstress.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The compiled classes that implement an interface, for tests that a registry lists all of them. */
public final class Implementations {
    private static final String SUFFIX = ".class";

    private Implementations() {}

    /** The named, concrete classes assignable to this type, among those compiled into the same directory. */
    public static List<Class<?>> of(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        try {
            Path root = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (Stream<Path> files = Files.walk(root.resolve("io"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(SUFFIX)).toList()) {
                    String name = root.relativize(file)
                            .toString()
                            .replace(file.getFileSystem().getSeparator(), ".");
                    Class<?> of = Class.forName(
                            name.substring(0, name.length() - SUFFIX.length()), false, type.getClassLoader());
                    if (type.isAssignableFrom(of)
                            && !of.isAnonymousClass()
                            && !Modifier.isAbstract(of.getModifiers())) {
                        found.add(of);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }
}
