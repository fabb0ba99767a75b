/** What differs from one kind of server to another; may use plan and target. */
@NullMarked
package io.pgstress.target.dialect;

import org.jspecify.annotations.NullMarked;
