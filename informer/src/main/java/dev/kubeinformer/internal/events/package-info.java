/**
 * Records the Kubernetes events that runs of reconcilers report, and limits their number.
 */
@NullMarked
package dev.kubeinformer.internal.events;

import org.jspecify.annotations.NullMarked;
