package io.pgstress.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a machine, from the text of its {@code /proc} and {@code /sys}; what could not be read is null.
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
 * @param maxPrepared a server's limit of prepared transactions ({@code max_prepared_transactions}); null for other machines
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
        @Nullable Integer maxPrepared,
        @Nullable Map<String, String> settings) {
    /** Stands for the server's setting {@code data_directory}, which is not a file. */
    public static final String DATA_DIRECTORY = "data_directory";

    /** Stands for the server's setting {@code max_connections}. */
    public static final String MAX_CONNECTIONS = "max_connections";

    /** Stands for the server's setting {@code max_prepared_transactions}. */
    public static final String MAX_PREPARED = "max_prepared_transactions";

    /** The server's settings that decide what a commit costs, and whether it outlives a crash. */
    public static final List<String> DURABILITY = List.of("fsync", "synchronous_commit", "full_page_writes");

    /** The server's settings to be read as if they were files. */
    public static final List<String> SETTINGS = Stream.concat(
                    Stream.of(DATA_DIRECTORY, MAX_CONNECTIONS, MAX_PREPARED), DURABILITY.stream())
            .toList();

    private static final String CPUS = "/proc/cpuinfo";
    private static final String MEMORY = "/proc/meminfo";
    private static final String BOOT = "/proc/sys/kernel/random/boot_id";
    private static final String KERNEL = "/proc/sys/kernel/osrelease";
    private static final String HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled";
    private static final String GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    private static final String NUMA = "/sys/devices/system/node/online";
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    private static final String VENDOR = "/sys/class/dmi/id/sys_vendor";
    private static final String PRODUCT = "/sys/class/dmi/id/product_name";
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final String ONLINE_CPUS = "/sys/devices/system/cpu/online";
    private static final List<String> FILES = List.of(
            CPUS,
            MEMORY,
            BOOT,
            KERNEL,
            HUGE_PAGES,
            GOVERNOR,
            NUMA,
            CLOCK,
            VENDOR,
            PRODUCT,
            MOUNTS,
            ONLINE_CPUS,
            ControlGroups.OF_PROCESS);

    /** States of an interface that may receive: some drivers do not report theirs. */
    private static final Set<String> UP = Set.of("up", "unknown", "");

    private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*: *(.*)$");
    private static final Pattern FLAGS = Pattern.compile("(?m)^flags\\s*:(.*)$");
    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal: +(\\d+) kB$");
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)\\]");
    private static final Pattern MOUNT =
            Pattern.compile("(?m)^\\d+ \\d+ (\\d+:\\d+) \\S+ (\\S+) (\\S+) .*?- (\\S+) (\\S+)(?: .*)?$");

    /** @param counters the files of an earlier reading of counters, which name the network interfaces */
    public static List<String> paths(MachineFiles counters) {
        List<String> paths = new ArrayList<>(FILES);
        for (String name : MachineCounters.interfaces(counters)) {
            paths.addAll(List.of(card(name), state(name), queue(name, 0), queue(name, 1)));
        }
        return paths;
    }

    /** Exists for an interface that is a card, if only a virtual machine's. */
    private static String card(String name) {
        return "/sys/class/net/" + name + "/device/uevent";
    }

    private static String state(String name) {
        return "/sys/class/net/" + name + "/operstate";
    }

    /** The mask of the CPUs to which the kernel distributes the work of a card's queue for what it receives. */
    private static String queue(String name, int number) {
        return "/sys/class/net/" + name + "/queues/rx-" + number + "/rps_cpus";
    }

    /**
     * @param files of {@link #paths}; with {@link #SETTINGS} if it is a server's machine
     * @param openFiles what {@link #openFiles} is
     */
    static Environment parse(MachineFiles files, @Nullable Long openFiles) {
        Mount data = Mount.of(files);
        return new Environment(
                orNull(files.text(BOOT)),
                first(MODEL, files.text(CPUS)),
                lengthOf(files.text(ONLINE_CPUS)),
                orNull(files.text(GOVERNOR)),
                lengthOf(files.text(NUMA)),
                memory(files),
                first(CHOSEN, files.text(HUGE_PAGES)),
                orNull(files.text(KERNEL)),
                virtualization(files),
                orNull(files.text(CLOCK)),
                data == null ? null : data.device,
                data == null ? null : data.fileSystem,
                data == null ? null : data.options,
                hasSingleQueue(files),
                openFiles,
                number(files.text(MAX_CONNECTIONS)),
                number(files.text(MAX_PREPARED)),
                durability(files));
    }

    private static @Nullable Map<String, String> durability(MachineFiles files) {
        Map<String, String> settings = new TreeMap<>();
        DURABILITY.stream()
                .filter(name -> !files.text(name).isEmpty())
                .forEach(name -> settings.put(name, files.text(name)));
        return settings.isEmpty() ? null : settings;
    }

    private static @Nullable Integer number(String text) {
        return text.matches("\\d{1,9}") ? Integer.valueOf(text) : null;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String first(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? m.group(1).strip() : null;
    }

    private static @Nullable Long memory(MachineFiles files) {
        String kilobytes = first(TOTAL, files.text(MEMORY));
        return kilobytes == null ? null : Long.valueOf(Long.parseLong(kilobytes) * 1024);
    }

    /** The length of a list such as {@code 0-3,6}. */
    private static @Nullable Integer lengthOf(String list) {
        if (!list.matches("\\d+(-\\d+)?(,\\d+(-\\d+)?)*")) {
            return null;
        }
        return Stream.of(list.split(",", -1))
                .map(range -> range.split("-", -1))
                .mapToInt(ends -> Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1)
                .sum();
    }

    private static @Nullable String virtualization(MachineFiles files) {
        String flags = first(FLAGS, files.text(CPUS));
        if (flags == null) {
            return null;
        }
        if (!(flags + " ").contains(" hypervisor ")) {
            return "none";
        }
        String product = (files.text(VENDOR) + " " + files.text(PRODUCT)).strip();
        return product.isEmpty() ? "virtual machine" : product;
    }

    private static @Nullable Boolean hasSingleQueue(MachineFiles files) {
        List<String> cards = files.byPath().keySet().stream()
                .filter(path -> path.endsWith("/device/uevent")
                        && !files.byPath().getOrDefault(path, "").isBlank())
                .map(path -> path.split("/", -1)[4])
                .filter(name -> UP.contains(files.text(state(name)))
                        && !files.text(queue(name, 0)).isEmpty())
                .toList();
        return cards.isEmpty()
                ? null
                : Boolean.valueOf(cards.stream()
                        .anyMatch(card -> files.text(queue(card, 1)).isEmpty()
                                && files.text(queue(card, 0)).matches("[0,]+")));
    }

    /** The number of the disk with the server's data, as in {@code 253:0}; empty if unknown. */
    static String dataDisk(MachineFiles files) {
        Mount mount = Mount.of(files);
        return mount == null ? "" : mount.number;
    }

    private record Mount(String number, String point, String options, String fileSystem, String device) {
        /** The file system with the server's data: that with the longest mount point above it, mounted last; null if unknown. */
        static @Nullable Mount of(MachineFiles files) {
            String path = files.text(DATA_DIRECTORY);
            Mount found = null;
            for (Matcher m = MOUNT.matcher(files.text(MOUNTS)); m.find() && !path.isEmpty(); ) {
                String point = m.group(2);
                boolean holds = point.equals("/") || path.equals(point) || path.startsWith(point + "/");
                if (holds && (found == null || point.length() >= found.point.length())) {
                    found = new Mount(m.group(1), point, m.group(3), m.group(4), m.group(5));
                }
            }
            return found;
        }
    }
}
