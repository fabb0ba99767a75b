/** What the role may not do, and which GRANT would allow it; may use plan and target.driver. */
@NullMarked
package io.pgstress.target.rights;

import org.jspecify.annotations.NullMarked;
