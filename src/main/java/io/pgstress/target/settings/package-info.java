/** Server settings: the requested ones are compared with those in force; may use plan and target. */
@NullMarked
package io.pgstress.target.settings;

import org.jspecify.annotations.NullMarked;
