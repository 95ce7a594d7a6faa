/**
 * JSON trees, and the models of the official client as such.
 */
@NullMarked
package dev.kubeinformer.test.internal.json;

import org.jspecify.annotations.NullMarked;
