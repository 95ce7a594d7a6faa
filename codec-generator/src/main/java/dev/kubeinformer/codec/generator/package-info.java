/**
 * Generator of decoders for Kubernetes' protobuf messages, which runs when the engine is
 * built.
 */
@NullMarked
package dev.kubeinformer.codec.generator;

import org.jspecify.annotations.NullMarked;
