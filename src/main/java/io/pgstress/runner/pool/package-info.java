/** The pools of a run's clients; uses no other part of the runner than the clients' stop. */
@NullMarked
package io.pgstress.runner.pool;

import org.jspecify.annotations.NullMarked;
