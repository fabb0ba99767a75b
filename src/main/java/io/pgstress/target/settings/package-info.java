/** Server settings: what was asked for held against what is in force; may use plan and target. */
@NullMarked
package io.pgstress.target.settings;

import org.jspecify.annotations.NullMarked;
