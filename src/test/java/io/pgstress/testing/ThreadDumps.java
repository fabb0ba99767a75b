package io.pgstress.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/**
 * Shows where all threads stand, virtual threads included, when a test reached its limit, before JUnit interrupts it.
 * JUnit's own dump has platform threads only, and no locks.
 */
public final class ThreadDumps implements PreInterruptCallback {
    private static final String[] SIGNATURE = {String[].class.getName()};

    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext test) throws Exception {
        System.out.println(
                "Limit of " + test.getUniqueId() + " reached by " + interrupt.getThreadToInterrupt() + "\n" + dump());
    }

    /** All threads of this JVM with their locks, and with virtual threads where the JVM has them. */
    static String dump() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String platform =
                (String) server.invoke(commands, "threadPrint", new Object[] {new String[] {"-l"}}, SIGNATURE);
        if (Runtime.version().feature() < 21) {
            return platform;
        }
        return platform + virtualThreads(server, commands);
    }

    private static String virtualThreads(MBeanServer server, ObjectName commands) throws Exception {
        Path file = Files.createTempFile("threads", ".txt");
        try {
            Object[] arguments = {new String[] {"-overwrite", file.toString()}};
            server.invoke(commands, "threadDumpToFile", arguments, SIGNATURE);
            return Files.readString(file);
        } finally {
            Files.delete(file);
        }
    }
}
