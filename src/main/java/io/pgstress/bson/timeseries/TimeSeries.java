package io.pgstress.bson.timeseries;

/**
 * The names of the special fields of a time series.
 *
 * @param timeField the field with the time of a measurement
 * @param metaField the field that all measurements of a bucket share; empty if there is none
 */
public record TimeSeries(String timeField, String metaField) {}
