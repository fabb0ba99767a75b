package io.pgstress.machine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a machine; what could not be read is null.
 *
 * @param kernelBoot identifies the running kernel: machines with the same value are one machine
 * @param cpuModel the model of its first CPU
 * @param governor the frequency governor of its first CPU
 * @param hugePages the setting for transparent huge pages: {@code always}, {@code madvise} or {@code never}
 * @param virtualization the hypervisor's or cloud's name, {@code virtual machine}, or {@code none}
 * @param clockSource what the kernel reads the time from
 * @param dataDevice, dataFileSystem, dataMountOptions where the server's data directory is
 * @param singleReceiveQueue whether a network card in use has only one queue for what it receives, and the kernel does not
 *     distribute its work ({@code rps_cpus}); null without a card
 * @param openFiles the number of files and sockets that the load tester may open; only for its own machine
 * @param maxConnections a server's limit of connections; null for other machines
 * @param settings a server's {@code fsync}, {@code synchronous_commit} and {@code full_page_writes}; null for other machines
 */
public record Environment(
        @Nullable String kernelBoot,
        @Nullable String cpuModel,
        @Nullable Integer cpus,
        @Nullable String governor,
        @Nullable Integer numaNodes,
        @Nullable Long memoryBytes,
        @Nullable String hugePages,
        @Nullable String kernel,
        @Nullable String virtualization,
        @Nullable String clockSource,
        @Nullable String dataDevice,
        @Nullable String dataFileSystem,
        @Nullable String dataMountOptions,
        @Nullable Boolean singleReceiveQueue,
        @Nullable Long openFiles,
        @Nullable Integer maxConnections,
        @Nullable Map<String, String> settings) {}
