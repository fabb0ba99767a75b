/** JSON and YAML as trees and records, and CSV; the only package that names Jackson and FastCSV. Uses no other package. */
@NullMarked
package io.pgstress.text;

import org.jspecify.annotations.NullMarked;
