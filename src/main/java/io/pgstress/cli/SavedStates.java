package io.pgstress.cli;

import io.pgstress.compare.ComparisonState;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.text.Counted;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The states of a scenario's workloads, one file each, for {@code --resume}. A new run of the same scenario deletes the files
 * of an earlier one. Thread-confined.
 */
public final class SavedStates {
    /** Before what a command with {@code --resume} does not do again. */
    static final String TAKEN_OVER = "taken over: ";

    private static final int KEY_LENGTH = 16;

    private final Map<Workload, Path> files = new LinkedHashMap<>();
    private final Map<Workload, ComparisonState> begun = new HashMap<>();

    /** @param directory created when the first state is saved */
    public SavedStates(Scenario scenario, Path directory) {
        scenario.workloads().forEach(w -> files.put(w, directory.resolve(key(scenario, w) + ".json")));
    }

    /**
     * Reads the saved states; a workload that was not started has no file.
     *
     * @throws InvalidPlanException if none was started
     * @throws TextException if a file is damaged
     */
    public void resume() throws IOException {
        for (Map.Entry<Workload, Path> file : files.entrySet()) {
            if (Files.exists(file.getValue())) {
                begun.put(file.getKey(), read(file.getValue(), ComparisonState.class));
            }
        }
        if (begun.isEmpty()) {
            throw new InvalidPlanException(
                    "--resume: this comparison has not been started; give the same variants, options,"
                            + " hooks and block length as before, to the same version of pgstress");
        }
    }

    /**
     * Reads a saved state.
     *
     * @throws TextException if the file is damaged
     */
    static <S> S read(Path file, Class<S> kind) throws IOException {
        try {
            return Json.read(TextFile.read(file, TextFile.RESULT), kind);
        } catch (TextException e) {
            throw new TextException("--resume: " + file + " is damaged; start again without --resume", e);
        }
    }

    /** How much a resumed scenario takes over, in words. */
    String takenOver() {
        return begun.size() == 1 && files.size() == 1
                ? Counted.of(begun.values().iterator().next().rounds(), "round")
                : files.keySet().stream()
                        .map(each -> Counted.of(
                                        begun.containsKey(each)
                                                ? begun.get(each).rounds()
                                                : 0,
                                        "round")
                                + " of " + each.name())
                        .collect(Collectors.joining(", "));
    }

    /** Deletes the states of earlier runs, except those that this run resumes. */
    public void forgetOthers() throws IOException {
        for (Map.Entry<Workload, Path> file : files.entrySet()) {
            if (!begun.containsKey(file.getKey())) {
                Files.deleteIfExists(file.getValue());
            }
        }
    }

    /** The state from which the workload starts. */
    public ComparisonState from(Scenario scenario, Workload workload) {
        ComparisonState state = begun.get(workload);
        return state == null ? ComparisonState.none(key(scenario, workload)) : state;
    }

    /** Saves the state of a workload, replacing an earlier one. */
    public void keep(Workload workload, ComparisonState state) throws IOException {
        Path file = files.get(workload);
        if (file == null) {
            throw new IllegalArgumentException("not of this scenario: " + workload.name());
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        new AtomicFile(file).write(out -> out.write(Json.writeLine(state)));
    }

    /**
     * Identifies a comparison: a hash of the variants with all their options, operations files and scripts, of the hooks and of the order.
     * The duration is not part of it, so that a comparison can be resumed with a longer one.
     */
    private static String key(Scenario scenario, Workload workload) {
        StringBuilder text = new StringBuilder(workload.name());
        text.append('\n').append(scenario.hooks());
        text.append('\n').append(scenario.baseline());
        text.append('\n').append(scenario.effort().seed());
        for (Variant variant : workload.variants()) {
            Map<String, Object> options = new TreeMap<>(variant.spec().options().texts());
            text.append('\n').append(variant.name()).append(options);
            text.append(CustomOperations.ofMix(variant.spec().options()));
            CustomOperations.scripts(variant.spec().options()).forEach(script -> text.append(script.text()));
        }
        return key(text.toString());
    }

    /** A name for the files of what this text describes. */
    static String key(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, KEY_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
