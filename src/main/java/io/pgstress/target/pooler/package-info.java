/** Poolers between the client and the server: what they do to sessions; may use plan and target. */
@NullMarked
package io.pgstress.target.pooler;

import org.jspecify.annotations.NullMarked;
