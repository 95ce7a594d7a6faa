/**
 * Stored objects in the representations that clients ask for.
 */
@NullMarked
package dev.kubeinformer.test.internal.render;

import org.jspecify.annotations.NullMarked;
