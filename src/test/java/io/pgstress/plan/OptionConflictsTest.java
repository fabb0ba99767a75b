package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.testing.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that have no effect together with the others are refused, not ignored. */
final class OptionConflictsTest {
    private static RunSpec read(String options) {
        String server = options.contains("--url") ? "" : "--url jdbc:postgresql://a/db";
        return Runs.spec("-t t", server, options);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 1000 --step 30s | --step: needs several rates",
                "--step 30s | --step: needs --rate",
                "--ramp 1s | --ramp: needs --rate",
                "--arrival poisson | --arrival: needs --rate",
                "--rate 1000 --warmup 1s --ramp 2s | --ramp: must not be longer than the warm-up",
                "--statement-timeout 500us | --statement-timeout: must be 0 or at least 1 ms",
                "--rate 1000,2000 --step 30s --duration 10 | --duration: is 10 s, but 2 rates with a --step of 30 s take 60 s",
                "--warmup 2s --warmup-limit 5s | --warmup-limit: is for --warmup auto or --warmup-executions",
                "--rate 1000 --think 1s | --think: needs a closed loop",
                "--interval 10ms | --interval: must be at least 100 ms",
                "--url jdbc:postgresql://a/db?prepareThreshold=5 | --url: must not have the parameter prepareThreshold: --statement",
                "--url jdbc:postgresql://a/db?user=u&socketFactory=x | must not have the parameter socketFactory: the run needs its own",
                "--clients-per-server 4,5 | --clients-per-server: has 2 numbers, but there is 1 server",
                "--clients-per-server 0 | --clients-per-server: must be",
                "--clients-per-server 4 --coordinators all | --clients-per-server: needs an --url for each server",
                "--clients-per-server 4 --url jdbc:postgresql://a/db,clients=5 | --clients-per-server: replaces clients=N",
                "--clients-per-server 4 --clients 8 | --clients: is 8, but the clients of all servers are 4",
                "--url jdbc:postgresql://a/db,clients=48 --url jdbc:postgresql://b/db,clients=96 -c 8"
                        + " | --clients: is 8, but the clients of all servers are 144",
                "--url jdbc:postgresql://a/db --url jdbc:postgresql://b/db --coordinators all"
                        + " | --coordinators: all finds the servers through one --url",
                "--alter-system work_mem | --alter-system: must be NAME=VALUE",
                "--hosts a:x | --hosts: must be HOST:PORT,..., was 'a:x'",
                "--op find_insert,find_delete | --op: one operation of the mix needs the copy table empty, another needs it full;"
                        + " run them separately",
                "--url jdbc:postgresql://a/db,clients=0 | clients= must be a whole number of at least 1",
                "--url jdbc:postgresql://a/db,clients=-5 | clients= must be a whole number of at least 1"
            })
    void reportsOptionsThatWouldBeIgnored(String options, String problem) {
        assertThatThrownBy(() -> read(options)).hasMessageContaining(problem);
    }

    @Test
    void acceptsCompatibleOptions() {
        read("--rate 1000,2000 --step 30s --duration 1m --warmup auto --warmup-limit 5s");
        read("--warmup 1s --warmup-executions 6 --warmup-limit 5s");
        read("--url jdbc:postgresql://a/db?user=m%65 --user me");
        read("--op find_insert,find_delete --no-reset");
        read(
                "--rate 1000,2000 --step 30s --warmup 2s --ramp 2s --arrival poisson --statement-timeout 1ms --interval 100ms");
    }
}
