/**
 * Requests as they were read: their verbs, parameters and wanted representation.
 */
@NullMarked
package dev.kubeinformer.test.internal.request;

import org.jspecify.annotations.NullMarked;
