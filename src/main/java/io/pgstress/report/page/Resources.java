package io.pgstress.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The page's resources in the jar. */
final class Resources {
    /** ECharts' common build from its WebJar; the version must match the POM. */
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.common.min.js";

    private Resources() {}

    /** Reads a file of this package. */
    static String own(String name) {
        return text("/report/" + name);
    }

    static String echarts() {
        return text(ECHARTS);
    }

    private static String text(String path) {
        try (InputStream in = Resources.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
