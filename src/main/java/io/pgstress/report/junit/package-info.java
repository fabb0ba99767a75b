/** The JUnit XML format for CI systems. */
@NullMarked
package io.pgstress.report.junit;

import org.jspecify.annotations.NullMarked;
