package io.pgstress.target.loop;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads on our own executor. The JDK has no public API for this, but a constructor of a builder, which its own tests
 * use, takes an executor (JDK 21 to 25). It is accessible if {@code java.lang} is open to us, as the jar's manifest requests
 * ({@code Add-Opens}). If it is not, there are no event loops, and the JDK's own scheduler is used. Once the JDK has a public API
 * for schedulers, only this class has to change.
 */
final class VirtualThreads {
    /** In earlier versions a thread that waits within {@code synchronized} would stop its loop. */
    private static final int FIRST_WITHOUT_PINNING = 24;

    private static final @Nullable Constructor<?> BUILDER =
            constructor("java.lang.ThreadBuilders$VirtualThreadBuilder");

    private VirtualThreads() {}

    /** The builder's constructor that takes an executor; null if this JVM has none, or does not permit its use. */
    static @Nullable Constructor<?> constructor(String builder) {
        if (Runtime.version().feature() < FIRST_WITHOUT_PINNING) {
            return null;
        }
        try {
            Constructor<?> constructor = Class.forName(builder).getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            constructor.newInstance((Executor) Runnable::run);
            return constructor;
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            return null; // another JDK, or not opened: see above
        }
    }

    static boolean areOurs() {
        return BUILDER != null;
    }

    /** @throws IllegalStateException if {@link #areOurs} is false */
    static ThreadFactory on(Executor scheduler) {
        if (BUILDER == null) {
            throw new IllegalStateException(
                    "this JVM has no event loops: they need JDK 24 or 25, and java.lang open to the jar");
        }
        try {
            return factory(BUILDER.newInstance(scheduler));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("virtual threads of this JVM take no scheduler", e);
        }
    }

    static ThreadFactory factory(Object builder) throws IllegalAccessException, InvocationTargetException {
        try {
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            throw new IllegalStateException("not a JVM with virtual threads", e);
        }
    }
}
