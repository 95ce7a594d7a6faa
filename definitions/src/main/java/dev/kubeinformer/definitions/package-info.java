/**
 * Generation of CustomResourceDefinitions from classes.
 */
@NullMarked
package dev.kubeinformer.definitions;

import org.jspecify.annotations.NullMarked;
