/** The command of a test on several stress hosts: finds the agents, gives them work and gathers what they recorded. */
@NullMarked
package io.pgstress.fleet.command;

import org.jspecify.annotations.NullMarked;
