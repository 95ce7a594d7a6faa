/**
 * Reads JSON into models, object by object, and checks that a class can be read.
 */
@NullMarked
package dev.kubeinformer.internal.codec.json;

import org.jspecify.annotations.NullMarked;
