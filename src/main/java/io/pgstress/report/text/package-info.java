/** Reports for people as plain text and Markdown. */
@NullMarked
package io.pgstress.report.text;

import org.jspecify.annotations.NullMarked;
