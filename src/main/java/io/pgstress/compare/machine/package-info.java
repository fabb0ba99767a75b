/** What a comparison says about the servers and machines of its variants. Uses only the result's records. */
@NullMarked
package io.pgstress.compare.machine;

import org.jspecify.annotations.NullMarked;
