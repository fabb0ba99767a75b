/**
 * Counts and times: single-writer recorders, histograms and intervals. The only package that uses HdrHistogram; uses no other
 * package.
 */
@NullMarked
package io.pgstress.measure;

import org.jspecify.annotations.NullMarked;
