/**
 * Resource types: the catalogue of built-in types and the mapping of custom ones.
 */
@NullMarked
package dev.kubeinformer.resource;

import org.jspecify.annotations.NullMarked;
