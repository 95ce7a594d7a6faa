/**
 * Requests: their verbs, parameters and requested representation.
 */
@NullMarked
package dev.kubeinformer.test.internal.request;

import org.jspecify.annotations.NullMarked;
