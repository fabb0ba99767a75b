/** How much CPU time the JVM's compiler uses; uses no other part of the runner. */
@NullMarked
package io.pgstress.runner.compiler;

import org.jspecify.annotations.NullMarked;
