package io.pgstress.machine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the control groups of a node's processes, such as a container's: the limits of the group and of all groups above it
 * count (the kernel's cgroup-v1 and cgroup-v2).
 */
final class ControlGroups {
    /** Names the control groups of the process that reads it. */
    static final String OF_PROCESS = "/proc/self/cgroup";

    static final String ROOT = "/sys/fs/cgroup";

    /** What stands for the controllers in the line of a group of version 2. */
    static final String VERSION_2 = "";

    /** A group of version 2, or of version 1 with its controllers. Its path never needs quoting. */
    private static final Pattern GROUP = Pattern.compile("(?m)^\\d+:([a-z,_]*):(/[\\w./@:-]*)$");

    private ControlGroups() {}

    /**
     * The files of the controllers in these groups. In a container, the root of the file system is often the container's group. Where
     * several controllers of version 1 share a hierarchy, each has a link to it, whatever the order of their names.
     *
     * @param groups the text of {@link #OF_PROCESS}
     * @param namesOf the names of the files of a controller
     */
    static List<String> files(String groups, Function<String, List<String>> namesOf) {
        Set<String> found = new LinkedHashSet<>();
        for (Matcher m = GROUP.matcher(groups); m.find(); ) {
            for (String controller : m.group(1).split(",", -1)) {
                String top = controller.equals(VERSION_2) ? ROOT : ROOT + "/" + controller;
                List<String> names = namesOf.apply(controller);
                for (String path = m.group(2); !path.isEmpty(); path = path.substring(0, path.lastIndexOf('/'))) {
                    String directory = top + path.replaceFirst("/$", "");
                    names.forEach(name -> found.add(directory + "/" + name));
                }
                names.forEach(name -> found.add(top + "/" + name));
            }
        }
        return List.copyOf(found);
    }

    /** The directories that have a file of this name, among files that were read. */
    static List<String> directoriesWith(String name, MachineFiles files) {
        return files.byPath().keySet().stream()
                .filter(path -> path.startsWith(ROOT)
                        && path.endsWith("/" + name)
                        && !files.text(path).isEmpty())
                .map(path -> path.substring(0, path.lastIndexOf('/')))
                .sorted()
                .toList();
    }
}
