/**
 * Writes the decoders of Kubernetes' protobuf messages, when the engine is built.
 */
@NullMarked
package dev.kubeinformer.codec.generator;

import org.jspecify.annotations.NullMarked;
