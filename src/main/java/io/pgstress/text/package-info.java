/**
 * Reads and writes JSON, YAML and CSV, and writes numbers of things; the only package that uses Jackson and FastCSV. Uses no
 * other package.
 */
@NullMarked
package io.pgstress.text;

import org.jspecify.annotations.NullMarked;
