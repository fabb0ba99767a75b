package io.pgstress.testing;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;

/** The compiled classes that implement an interface, for tests that a registry lists all of them. */
public final class Implementations {
    private Implementations() {}

    /** The named, concrete classes assignable to this type, among those compiled into the same directory. */
    public static List<Class<?>> of(Class<?> type) {
        return new ClassFileImporter()
                .importUrl(type.getProtectionDomain().getCodeSource().getLocation()).stream()
                        .filter(c -> c.isAssignableTo(type) && !c.isInterface() && !c.isAnonymousClass())
                        .filter(c -> !c.getModifiers().contains(JavaModifier.ABSTRACT))
                        .<Class<?>>map(JavaClass::reflect)
                        .toList();
    }
}
