/**
 * Connection to K3s in Docker Compose.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.compose;

import org.jspecify.annotations.NullMarked;
