/**
 * Resource types: the catalogue of built-in types, and the annotation for classes of
 * custom resources.
 */
@NullMarked
package dev.kubeinformer.resource;

import org.jspecify.annotations.NullMarked;
