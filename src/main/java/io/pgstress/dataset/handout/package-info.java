/** Ids that are used once each, over all clients and hosts; may use dataset and plan. */
@NullMarked
package io.pgstress.dataset.handout;

import org.jspecify.annotations.NullMarked;
