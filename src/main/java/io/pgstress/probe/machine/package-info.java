/** Load and properties of a machine from the text of its {@code /proc} and {@code /sys}, and the client's own machine. */
@NullMarked
package io.pgstress.probe.machine;

import org.jspecify.annotations.NullMarked;
