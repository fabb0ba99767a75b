/** The load and the properties of the machines that a run used, as plain records. Uses nothing. */
@NullMarked
package io.pgstress.result.machine;

import org.jspecify.annotations.NullMarked;
