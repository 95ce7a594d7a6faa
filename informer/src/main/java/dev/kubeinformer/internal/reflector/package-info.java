/**
 * List-watch protocol: pure decisions and the loop that carries them out.
 */
@NullMarked
package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.NullMarked;
