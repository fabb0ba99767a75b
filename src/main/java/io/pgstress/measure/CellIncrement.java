package io.pgstress.measure;

/**
 * What one operation on one node added to an interval since the last increment, encoded by {@link CellCodec}. Adding all
 * increments of an interval gives the interval exactly.
 *
 * @param cell the encoded cell; not copied, do not change it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CellIncrement(int node, int operation, byte[] cell) {}
