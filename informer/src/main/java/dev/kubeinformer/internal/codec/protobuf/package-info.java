/**
 * Protobuf encoding of Kubernetes' built-in types, decoded directly into the official
 * models.
 */
@NullMarked
package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.NullMarked;
