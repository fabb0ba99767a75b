/** What operations wrote as the server acknowledged it, and its comparison with the tables after a run. */
@org.jspecify.annotations.NullMarked
package io.pgstress.operation.check;
