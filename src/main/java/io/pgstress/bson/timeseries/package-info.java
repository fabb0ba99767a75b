/**
 * Unpacks the buckets in which MongoDB stores the measurements of time series: version 1 has a document per field, versions 2 and
 * 3 a BSON column. May use {@code io.pgstress.bson} and its {@code column}.
 */
@NullMarked
package io.pgstress.bson.timeseries;

import org.jspecify.annotations.NullMarked;
