/** The probe of where statements go. */
@NullMarked
package io.pgstress.probe.plan;

import org.jspecify.annotations.NullMarked;
