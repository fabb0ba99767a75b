/** What waits on a stress host for work: {@code Agent}, and its part of one test. */
@NullMarked
package io.pgstress.fleet.agent;

import org.jspecify.annotations.NullMarked;
