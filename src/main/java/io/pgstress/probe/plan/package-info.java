/** The probe that compares planned and counted destinations of statements. */
@NullMarked
package io.pgstress.probe.plan;

import org.jspecify.annotations.NullMarked;
