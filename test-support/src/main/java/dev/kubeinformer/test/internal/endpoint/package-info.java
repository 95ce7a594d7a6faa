/**
 * Way of a request from its path to the verb that answers it.
 */
@NullMarked
package dev.kubeinformer.test.internal.endpoint;

import org.jspecify.annotations.NullMarked;
