package io.pgstress.compare;

import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerProfile.HostProfile;
import java.util.List;

/**
 * The machines during a block, without samples.
 *
 * @param hosts the nodes' machines
 * @param others the client's machine and others
 * @param pausedSeconds duration of the pauses that the figures include
 */
public record BlockMachines(
        List<HostProfile> hosts, List<HostProfile> others, List<String> unobserved, double pausedSeconds) {

    /** @param withEnvironment whether to keep the properties of the machines, which are the same in all blocks */
    public static BlockMachines of(RunResult run, boolean withEnvironment) {
        ServerProfile profile = run.serverProfile();
        return new BlockMachines(
                brief(profile.hosts(), withEnvironment),
                brief(profile.machines(), withEnvironment),
                profile.unobserved(),
                run.load().halts().seconds());
    }

    private static List<HostProfile> brief(List<HostProfile> machines, boolean withEnvironment) {
        return machines.stream()
                .map(machine -> machine.only(true, withEnvironment))
                .toList();
    }
}
