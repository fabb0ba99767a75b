/** JSON and YAML as trees and records; the only package that names Jackson; uses no other package. */
@NullMarked
package io.pgstress.text;

import org.jspecify.annotations.NullMarked;
