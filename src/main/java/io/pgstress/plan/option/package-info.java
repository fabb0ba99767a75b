/** Options: how their texts are read into values, and what is wrong with them; uses nothing else. */
@NullMarked
package io.pgstress.plan.option;

import org.jspecify.annotations.NullMarked;
