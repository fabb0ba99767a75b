/** Which server a session has reached, behind a proxy or a URL of several hosts; may use nothing. */
@NullMarked
package io.pgstress.target.reached;

import org.jspecify.annotations.NullMarked;
