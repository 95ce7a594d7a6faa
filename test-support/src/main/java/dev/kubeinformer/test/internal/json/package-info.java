/**
 * JSON trees, and their conversion from and to the models of the official client.
 */
@NullMarked
package dev.kubeinformer.test.internal.json;

import org.jspecify.annotations.NullMarked;
