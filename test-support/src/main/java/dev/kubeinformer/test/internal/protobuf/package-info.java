/**
 * Responses as protobuf, for clients that prefer it.
 */
@NullMarked
package dev.kubeinformer.test.internal.protobuf;

import org.jspecify.annotations.NullMarked;
