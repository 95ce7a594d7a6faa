/**
 * Small types that applications and all packages of the engine use: keys, states, modes
 * and reasons. This package does not depend on another public package.
 */
@NullMarked
package dev.kubeinformer.types;

import org.jspecify.annotations.NullMarked;
