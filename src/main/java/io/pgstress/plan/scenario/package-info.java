/** Scenarios: the variants of a comparison, read from a file or the command line; uses plan and text. */
@NullMarked
package io.pgstress.plan.scenario;

import org.jspecify.annotations.NullMarked;
