/**
 * Application of CustomResourceDefinitions at the start. Internal to the starter.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.definitions;

import org.jspecify.annotations.NullMarked;
