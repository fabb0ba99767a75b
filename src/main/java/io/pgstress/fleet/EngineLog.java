package io.pgstress.fleet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jgroups.logging.CustomLogFactory;
import org.jgroups.logging.Log;
import org.jgroups.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of JGroups, through ours: one line a warning, without stack traces, and the same line at most ten times a minute, because
 * a host with a wrong certificate tries again all the time. JGroups' information and debug output is dropped.
 */
final class EngineLog implements CustomLogFactory, InvocationHandler {
    private static final Logger LOG = LoggerFactory.getLogger("io.pgstress.fleet");
    private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MAX_SAME = 10;
    private static final int MAX_DIFFERENT = 1000;
    /**
     * What is normal while hosts come, go or return: messages of a host that is not yet or no longer in the view, unknown
     * addresses, and connections that were closed.
     */
    private static final Pattern NORMAL =
            Pattern.compile("JGRP0000(11|32).*|.*: Stream closed|.*failed sending graceful close to .*");

    private static final EngineLog ONE = new EngineLog();

    /** How often each line was logged in the current minute. */
    private final Map<String, Integer> logged = new HashMap<>();

    private final Log log = (Log) Proxy.newProxyInstance(Log.class.getClassLoader(), new Class<?>[] {Log.class}, this);
    private long windowStart = System.nanoTime();

    /** For the whole JVM, before other classes of JGroups are used; may be called again. */
    static void install() {
        LogFactory.setCustomLogFactory(ONE);
    }

    /** Logs that a connection was not accepted, unless this side interrupted it because it ends. */
    static void refused(Socket peer, Throwable reason) {
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        String from = peer.getInetAddress() == null
                ? "an unknown host"
                : peer.getInetAddress().getHostAddress();
        ONE.log(
                innermost(reason) instanceof SocketException // the other side has gone, such as a host that leaves
                        ? "a connection from " + from + " ended before it was accepted"
                        : "refused a connection from " + from + ": " + reason(reason));
    }

    @Override
    public Log getLog(Class<?> type) {
        return log;
    }

    @Override
    public Log getLog(String category) {
        return log;
    }

    /** Called for each method of {@link Log}. Only warnings, errors and fatal errors are written. */
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "isWarnEnabled", "isErrorEnabled", "isFatalEnabled" -> true;
            case "isInfoEnabled", "isDebugEnabled", "isTraceEnabled", "equals" -> false;
            case "getLevel", "toString" -> "warn";
            case "hashCode" -> 0;
            case "warn", "error", "fatal" -> {
                warn(Objects.requireNonNull(arguments));
                yield null;
            }
            default -> null;
        };
    }

    private void warn(Object[] arguments) {
        String message = String.valueOf(arguments[0]);
        if (arguments.length == 1) {
            log(message);
        } else if (arguments[1] instanceof Throwable problem) {
            log(message + ": " + reason(problem));
        } else {
            warn(message, (Object[]) arguments[1]);
        }
    }

    private void warn(String format, @Nullable Object[] args) {
        Object socket = null;
        Throwable problem = null;
        for (Object arg : args) {
            socket = arg instanceof Socket ? arg : socket;
            problem = arg instanceof Throwable thrown ? thrown : problem;
        }
        if (socket instanceof Socket peer && problem != null) {
            refused(peer, problem);
        } else {
            Object[] texts = Arrays.stream(args)
                    .map(arg -> arg instanceof Throwable thrown ? reason(thrown) : arg)
                    .toArray();
            log(texts.length == 0 ? format : String.format(Locale.ROOT, format, texts));
        }
    }

    /** The message of the innermost cause, which says the most. */
    static String reason(Throwable problem) {
        Throwable last = innermost(problem);
        return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    }

    private static Throwable innermost(Throwable problem) {
        Throwable last = problem;
        while (last.getCause() != null && last.getCause() != last) {
            last = last.getCause();
        }
        return last;
    }

    private void log(String message) {
        String line =
                message.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?").strip();
        if (!NORMAL.matcher(line).matches() && mayLog(line)) {
            LOG.warn(line);
        }
    }

    private synchronized boolean mayLog(String line) {
        long now = System.nanoTime();
        if (now - windowStart > WINDOW_NANOS) {
            windowStart = now;
            logged.clear();
        }
        return (logged.size() < MAX_DIFFERENT || logged.containsKey(line))
                && logged.merge(line, 1, Integer::sum) <= MAX_SAME;
    }
}
