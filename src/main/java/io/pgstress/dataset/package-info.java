/** Tables with their key type, and samplers of their ids; may use plan and target. */
@NullMarked
package io.pgstress.dataset;

import org.jspecify.annotations.NullMarked;
