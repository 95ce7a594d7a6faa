/**
 * Annotations of custom resource classes from which their CustomResourceDefinition is
 * generated. They do not influence informers.
 */
@NullMarked
package dev.kubeinformer.definition;

import org.jspecify.annotations.NullMarked;
