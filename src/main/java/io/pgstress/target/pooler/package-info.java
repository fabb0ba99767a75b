/** Poolers between the client and the server: their effect on sessions; may use plan and target.driver. */
@NullMarked
package io.pgstress.target.pooler;

import org.jspecify.annotations.NullMarked;
