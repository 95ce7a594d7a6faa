/**
 * The words that users and every room of the engine share: keys, states, modes and
 * reasons. This package knows no other public package.
 */
@NullMarked
package dev.kubeinformer.types;

import org.jspecify.annotations.NullMarked;
