/**
 * JSON into models, object by object, and the check that a class can be read.
 */
@NullMarked
package dev.kubeinformer.internal.codec.json;

import org.jspecify.annotations.NullMarked;
