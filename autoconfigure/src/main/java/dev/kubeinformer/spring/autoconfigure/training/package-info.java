/**
 * Training run of an application, which ends when its caches are synced and live changes
 * were processed.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.training;

import org.jspecify.annotations.NullMarked;
