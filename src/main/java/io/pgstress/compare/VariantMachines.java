package io.pgstress.compare;

import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.machine.Bottleneck;
import io.pgstress.machine.MachineMedians;
import io.pgstress.machine.MachineProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a variant over its blocks.
 *
 * @param machines their load as medians, with their properties
 * @param bottleneck which machine was the limit; null if unknown
 */
public record VariantMachines(
        List<MachineProfile> machines, @Nullable String bottleneck) {

    /** @param blocks the machines during each block */
    public static VariantMachines of(List<BlockMachines> blocks) {
        List<MachineProfile> hosts =
                MachineMedians.of(blocks.stream().map(BlockMachines::hosts).toList());
        List<MachineProfile> others =
                MachineMedians.of(blocks.stream().map(BlockMachines::others).toList());
        List<String> unobserved = blocks.stream()
                .flatMap(block -> block.unobserved().stream())
                .distinct()
                .toList();
        double paused =
                blocks.stream().mapToDouble(BlockMachines::pausedSeconds).sum() / Math.max(1, blocks.size());
        return new VariantMachines(
                Stream.concat(hosts.stream(), others.stream()).toList(),
                Bottleneck.of(hosts, others, unobserved, paused));
    }

    /** The load without the properties. */
    public List<MachineProfile> loads() {
        return machines.stream().map(MachineProfile::load).toList();
    }

    /** The properties of all variants' machines, each once. */
    public static List<MachineProfile> properties(Collection<VariantMachines> variants) {
        List<MachineProfile> all = new ArrayList<>();
        variants.stream()
                .flatMap(variant -> variant.machines.stream())
                .filter(machine -> machine.environment() != null)
                .map(MachineProfile::properties)
                .filter(machine -> !all.contains(machine))
                .forEach(all::add);
        return all;
    }

    /**
     * The machines during a block, without samples.
     *
     * @param hosts the nodes' machines
     * @param others the client's machine and others
     * @param pausedSeconds duration of the pauses that the figures include
     */
    public record BlockMachines(
            List<MachineProfile> hosts, List<MachineProfile> others, List<String> unobserved, double pausedSeconds) {

        /** @param withEnvironment whether to keep the properties of the machines, which are the same in all blocks */
        public static BlockMachines of(RunResult run, boolean withEnvironment) {
            ServerProfile profile = run.serverProfile();
            return new BlockMachines(
                    brief(profile.hosts(), withEnvironment),
                    brief(profile.machines(), withEnvironment),
                    profile.unobserved(),
                    run.load().halts().seconds());
        }

        private static List<MachineProfile> brief(List<MachineProfile> machines, boolean withEnvironment) {
            return machines.stream()
                    .map(machine -> withEnvironment ? machine.withoutSamples() : machine.load())
                    .toList();
        }
    }
}
