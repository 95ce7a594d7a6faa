/**
 * A table of kubeconfigs with what {@code kubectl} makes of each.
 */
@NullMarked
package dev.kubeinformer.client.table;

import org.jspecify.annotations.NullMarked;
