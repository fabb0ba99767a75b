package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RecordsTest {
    private record Server(String name, int port, @Nullable List<String> roles) {
        Server {
            if (port < 1) {
                throw new IllegalArgumentException("port " + port);
            }
        }
    }

    private static final Server SERVER = new Server("a", 5432, null);

    @Test
    void copyDiffersInOneComponent() {
        assertThat(Records.with(SERVER, "port", 5433)).isEqualTo(new Server("a", 5433, null));
        assertThat(Records.with(Records.with(SERVER, "roles", List.of("x")), "roles", null))
                .isEqualTo(SERVER);
    }

    @Test
    void unknownNamesAndValuesAreRefused() {
        assertThatThrownBy(() -> Records.with(SERVER, "address", "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no component address");
        assertThatThrownBy(() -> Records.with(SERVER, "port", "b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Records.with(SERVER, "port", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasRootCauseMessage("port 0");
    }
}
