/** Event loops that run clients' virtual threads and wait for their sockets; the only package that reaches into the JDK; uses nothing else of the project. */
@NullMarked
package io.pgstress.target.loop;

import org.jspecify.annotations.NullMarked;
