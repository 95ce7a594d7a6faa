/**
 * Columns and cells of the tables that kubectl prints.
 */
@NullMarked
package dev.kubeinformer.test.internal.table;

import org.jspecify.annotations.NullMarked;
