/**
 * Training run of an application, which ends once its caches are complete.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.training;

import org.jspecify.annotations.NullMarked;
