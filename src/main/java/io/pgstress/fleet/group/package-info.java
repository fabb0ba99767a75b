/** Which hosts are there, and messages between them, on JGroups. The only package that names JGroups; uses nothing else. */
@NullMarked
package io.pgstress.fleet.group;

import org.jspecify.annotations.NullMarked;
