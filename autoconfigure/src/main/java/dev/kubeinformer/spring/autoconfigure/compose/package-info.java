/**
 * Connection to K3s that Docker Compose runs.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.compose;

import org.jspecify.annotations.NullMarked;
