/**
 * The protobuf form of Kubernetes' built-in types, straight into the official models.
 */
@NullMarked
package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.NullMarked;
