/** The clients of a run and what controls them: phases, schedules, pauses, retries; uses no other part of the runner. */
@NullMarked
package io.pgstress.runner.client;

import org.jspecify.annotations.NullMarked;
