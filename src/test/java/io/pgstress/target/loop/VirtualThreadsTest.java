package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VirtualThreadsTest {
    /** As on JDK 26, where it takes something else. */
    @Test
    void jdkWhoseBuilderHasNoSuchConstructorHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.Thread")).isNull();
    }

    @Test
    void jdkWithoutTheBuilderHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.ThreadBuilders$Gone")).isNull();
    }
}
