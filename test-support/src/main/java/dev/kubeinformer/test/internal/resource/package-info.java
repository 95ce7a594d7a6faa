/**
 * Resources that are served, their names and their paths.
 */
@NullMarked
package dev.kubeinformer.test.internal.resource;

import org.jspecify.annotations.NullMarked;
