package io.pgstress.cli.load;

import io.pgstress.compare.ComparisonKey;
import io.pgstress.compare.ComparisonState;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far a scenario's workloads have come, a file each, for {@code --resume}. What an earlier run of the same scenario left
 * is gone once another begins. Thread-confined.
 */
public final class SavedStates {
    private final Map<Workload, Path> files = new LinkedHashMap<>();
    private final Map<Workload, ComparisonState> begun = new HashMap<>();

    /** @param directory which need not be there yet */
    public SavedStates(Scenario scenario, Path directory) {
        scenario.workloads().forEach(w -> files.put(w, directory.resolve(ComparisonKey.of(scenario, w) + ".json")));
    }

    /**
     * Reads how far the workloads have come; one that was not begun has no file.
     *
     * @throws InvalidPlanException where none was begun
     * @throws TextException where a file is damaged
     */
    public void resume() throws IOException {
        for (Map.Entry<Workload, Path> file : files.entrySet()) {
            if (Files.exists(file.getValue())) {
                begun.put(file.getKey(), read(file.getValue()));
            }
        }
        if (begun.isEmpty()) {
            throw new InvalidPlanException(
                    "--resume: this comparison has not been started; give the same variants, options,"
                            + " hooks and block length as before");
        }
    }

    private static ComparisonState read(Path file) throws IOException {
        try {
            return Json.read(Files.readString(file), ComparisonState.class);
        } catch (TextException e) {
            throw new TextException("--resume: " + file + " is damaged: " + e.getMessage());
        }
    }

    /** Forgets what earlier runs have left, but for what is gone on from. */
    public void forgetOthers() throws IOException {
        for (Map.Entry<Workload, Path> file : files.entrySet()) {
            if (!begun.containsKey(file.getKey())) {
                Files.deleteIfExists(file.getValue());
            }
        }
    }

    /** Where the workload begins. */
    public ComparisonState from(Scenario scenario, Workload workload) {
        ComparisonState state = begun.get(workload);
        return state == null ? ComparisonState.none(ComparisonKey.of(scenario, workload)) : state;
    }

    /** Takes the place of what is kept of the workload. */
    public void keep(Workload workload, ComparisonState state) throws IOException {
        Path file = files.get(workload);
        if (file == null) {
            throw new IllegalArgumentException("not of this scenario: " + workload.name());
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, Json.writeLine(state));
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
