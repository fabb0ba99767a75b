/** What was counted and timed: recorders of one writer each, histograms, intervals; the only package that names HdrHistogram; uses no other package. */
@NullMarked
package io.pgstress.measure;

import org.jspecify.annotations.NullMarked;
