package io.pgstress.target.settings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.RunSpec;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A requested setting is in force, or the run does not start and says why. */
final class SettingsCheckTest {
    private static String url;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("settings");
    }

    private static void check(String setting) {
        RunSpec spec = Runs.spec("-t t --set " + setting + " --url " + url);
        SettingsCheck.check(Target.open(spec), spec.settings());
    }

    @ParameterizedTest
    @CsvSource({
        "jit=off",
        "jit=no",
        "work_mem=8192kB",
        "work_mem=8MB",
        "plan_cache_mode=force_custom_plan",
        "my.tenant=7"
    })
    void acceptsSettingsOfASession(String setting) {
        assertThatCode(() -> check(setting)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "nonsense=1, has no setting nonsense",
        "max_connections=5, read only when the server starts",
        "checkpoint_timeout=60, belongs to the whole server",
        "work_mem=lots, refuses the settings"
    })
    void reportsOtherSettingsWithTheReason(String setting, String reason) {
        assertThatThrownBy(() -> check(setting)).hasMessageContaining(reason);
    }
}
