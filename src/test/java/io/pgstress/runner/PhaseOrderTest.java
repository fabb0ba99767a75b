package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener is notified of one phase after another. */
final class PhaseOrderTest extends UnderFault {
    @Test
    void announcesEachPhaseOnce() throws InterruptedException {
        List<String> phases = new ArrayList<>();
        run(
                new RunListener() {
                    @Override
                    public void phase(Phase phase, double seconds) {
                        told(phase.label());
                    }

                    @Override
                    public void interval(IntervalResult result) {
                        told(result.phase());
                    }

                    private void told(String phase) {
                        if (phases.isEmpty() || !phases.get(phases.size() - 1).equals(phase)) {
                            phases.add(phase);
                        }
                    }
                },
                "--warmup 0.5 -P 0.2 -T 0.5");

        assertThat(phases).containsExactly("connect", "warmup", "measure", "drain");
    }
}
