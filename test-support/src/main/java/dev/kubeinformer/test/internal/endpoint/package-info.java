/**
 * Way of a request from its path to the verb that serves it.
 */
@NullMarked
package dev.kubeinformer.test.internal.endpoint;

import org.jspecify.annotations.NullMarked;
