/**
 * Beans with transforms and indexes for the objects of a model.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.model;

import org.jspecify.annotations.NullMarked;
