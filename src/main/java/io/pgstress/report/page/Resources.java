package io.pgstress.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that the jar holds for the page. */
final class Resources {
    /** ECharts with the usual charts, as its WebJar has it; the version is the pom's. */
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.common.min.js";

    private Resources() {}

    /** A file of this package's own. */
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
