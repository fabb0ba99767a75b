/** TLS to servers: the files it uses, and what its failures mean. Uses no driver and no other package. */
@NullMarked
package io.pgstress.target.tls;

import org.jspecify.annotations.NullMarked;
