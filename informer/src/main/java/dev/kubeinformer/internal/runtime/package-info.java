/**
 * Resources that all informers share between their start and stop, such as the client,
 * the codecs and the timer.
 */
@NullMarked
package dev.kubeinformer.internal.runtime;

import org.jspecify.annotations.NullMarked;
