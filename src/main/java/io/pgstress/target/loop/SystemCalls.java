package io.pgstress.target.loop;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the operating system that the JDK does not make. They go through {@code java.lang.foreign}, which is final in JDK 22 and
 * called by reflection, because the code targets Java 17. Where it is missing, or the jar may not use it without a warning (no
 * {@code --enable-native-access}), there are none. Thread-safe.
 */
final class SystemCalls {
    private static final int FIRST_VERSION = 22;

    /** EINTR: a signal came first. The numbers are those of Linux on all its processors with a JDK. */
    static final int INTERRUPTED = 4;

    /** EAGAIN. */
    static final int WOULD_BLOCK = 11;

    /** ECONNRESET. */
    static final int RESET = 104;

    /** ECANCELED. */
    static final int CANCELLED = 125;

    private static final @Nullable Foreign FOREIGN = Foreign.find();

    /** {@code syscall} of the C library, with the memory for {@code errno} in front: constant, or a call would take several times as long. */
    private static final @Nullable MethodHandle SYSCALL = function("syscall", 7, true);

    private static final @Nullable MethodHandle MMAP = function("mmap", 6, false);
    private static final @Nullable MethodHandle MUNMAP = function("munmap", 2, false);
    private static final @Nullable MethodHandle CLOSE = function("close", 1, false);

    private static final int READ_WRITE = 3;
    private static final int SHARED_POPULATED = 0x8001;

    private SystemCalls() {}

    static boolean areAvailable() {
        return FOREIGN != null;
    }

    private static @Nullable MethodHandle function(String name, int arguments, boolean setsErrno) {
        return FOREIGN == null ? null : FOREIGN.function(name, arguments, setsErrno);
    }

    private static MethodHandle available(@Nullable MethodHandle function) {
        if (function == null) {
            throw new IllegalStateException("this JVM makes no system calls for us");
        }
        return function;
    }

    /** Where a thread's calls leave the reason of a failure. Used by one thread at a time. */
    static final class Errno {
        private final ByteBuffer number =
                ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        private final Object segment = foreign().segment(number);

        /** The last call's, if it failed. */
        int number() {
            return number.getInt(0);
        }
    }

    /** Calls the kernel; returns -1 if that fails. */
    static long call(Errno errno, long number, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) available(SYSCALL).invokeExact(errno.segment, number, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Memory that is shared with the kernel through a file. */
    static ByteBuffer map(long file, long offset, long bytes) throws IOException {
        long address;
        try {
            address = (long)
                    available(MMAP).invokeExact(0L, bytes, (long) READ_WRITE, (long) SHARED_POPULATED, file, offset);
        } catch (Throwable t) {
            throw unexpected(t);
        }
        if (address == -1) {
            throw new IOException("memory of the kernel cannot be mapped");
        }
        return foreign().memory(address, bytes);
    }

    /** Ends a mapping. Its buffers must not be touched any more: the JVM would crash. */
    static void unmap(ByteBuffer memory) {
        try {
            long ignored = (long) available(MUNMAP).invokeExact(foreign().address(memory), (long) memory.capacity());
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static void close(long file) {
        try {
            long ignored = (long) available(CLOSE).invokeExact(file);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Where the memory of a direct buffer is. */
    static long address(ByteBuffer direct) {
        return foreign().address(direct);
    }

    private static Foreign foreign() {
        if (FOREIGN == null) {
            throw new IllegalStateException("this JVM makes no system calls for us");
        }
        return FOREIGN;
    }

    private static IllegalStateException unexpected(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(failure);
    }

    /** {@code java.lang.foreign} of this JVM. */
    private static final class Foreign {
        private final Class<?> segmentType = type("MemorySegment");
        private final Class<?> optionType = type("Linker$Option");
        private final Class<?> layoutType = type("MemoryLayout");
        private final Method ofBuffer = segmentType.getMethod("ofBuffer", Buffer.class);
        private final Method ofAddress = segmentType.getMethod("ofAddress", long.class);
        private final Method address = segmentType.getMethod("address");
        private final Method reinterpret = segmentType.getMethod("reinterpret", long.class);
        private final Method asByteBuffer = segmentType.getMethod("asByteBuffer");
        private final Object linker = type("Linker").getMethod("nativeLinker").invoke(null);

        private Foreign() throws ReflectiveOperationException {}

        /** Null if this JVM has none, or permits its use with a warning only. */
        static @Nullable Foreign find() {
            if (Runtime.version().feature() < FIRST_VERSION
                    || !System.getProperty("os.name", "").equals("Linux")
                    || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
                return null;
            }
            try {
                Object isPermitted =
                        Module.class.getMethod("isNativeAccessEnabled").invoke(SystemCalls.class.getModule());
                return isPermitted.equals(true) ? new Foreign() : null;
            } catch (ReflectiveOperationException e) {
                return null; // another JDK
            }
        }

        private static Class<?> type(String name) throws ClassNotFoundException {
            return Class.forName("java.lang.foreign." + name);
        }

        /** A function of the C library on numbers. */
        MethodHandle function(String name, int arguments, boolean setsErrno) {
            try {
                Object number = type("ValueLayout").getField("JAVA_LONG").get(null);
                Object layouts = Array.newInstance(layoutType, arguments);
                Arrays.fill((Object[]) layouts, number);
                Class<?> descriptorType = type("FunctionDescriptor");
                Object descriptor = descriptorType
                        .getMethod("of", layoutType, layouts.getClass())
                        .invoke(null, number, layouts);
                Object options = Array.newInstance(optionType, setsErrno ? 2 : 0);
                if (setsErrno) {
                    Array.set(
                            options,
                            0,
                            optionType.getMethod("firstVariadicArg", int.class).invoke(null, 1));
                    Array.set(
                            options,
                            1,
                            optionType
                                    .getMethod("captureCallState", String[].class)
                                    .invoke(null, (Object) new String[] {"errno"}));
                }
                Object lookup = type("Linker").getMethod("defaultLookup").invoke(linker);
                Optional<?> symbol = (Optional<?>)
                        type("SymbolLookup").getMethod("find", String.class).invoke(lookup, name);
                MethodHandle handle = (MethodHandle) type("Linker")
                        .getMethod("downcallHandle", segmentType, descriptorType, options.getClass())
                        .invoke(linker, symbol.orElseThrow(), descriptor, options);
                MethodType plain = MethodType.genericMethodType(0).changeReturnType(long.class);
                Class<?>[] numbers = new Class<?>[arguments];
                Arrays.fill(numbers, long.class);
                plain = plain.appendParameterTypes(numbers);
                return handle.asType(setsErrno ? plain.insertParameterTypes(0, Object.class) : plain);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(name + " of the C library cannot be called", e);
            }
        }

        Object segment(ByteBuffer direct) {
            return invoke(ofBuffer, null, direct);
        }

        long address(ByteBuffer direct) {
            return (long) invoke(address, segment(direct));
        }

        ByteBuffer memory(long at, long bytes) {
            Object segment = invoke(reinterpret, invoke(ofAddress, null, at), bytes);
            return ((ByteBuffer) invoke(asByteBuffer, segment)).order(ByteOrder.nativeOrder());
        }

        private static Object invoke(Method method, @Nullable Object on, Object... arguments) {
            try {
                return method.invoke(on, arguments);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("java.lang.foreign is not as it was", e);
            }
        }
    }
}
