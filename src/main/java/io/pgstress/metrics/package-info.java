/** What a run tells a monitoring system while it goes on; the only package that names Micrometer and Prometheus; may use measure and result. */
@NullMarked
package io.pgstress.metrics;

import org.jspecify.annotations.NullMarked;
