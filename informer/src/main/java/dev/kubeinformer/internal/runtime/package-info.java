/**
 * Resources that all informers share between start and stop: client, codecs and timer.
 */
@NullMarked
package dev.kubeinformer.internal.runtime;

import org.jspecify.annotations.NullMarked;
