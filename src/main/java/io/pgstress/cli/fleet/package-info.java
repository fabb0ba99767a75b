/** Tests on several stress hosts: their options, the command's side and the agent's work. */
@NullMarked
package io.pgstress.cli.fleet;

import org.jspecify.annotations.NullMarked;
