/** The page of a run in progress: a web server on the loopback interface, and server-sent events. Uses the page. */
@NullMarked
package io.pgstress.report.page.live;

import org.jspecify.annotations.NullMarked;
