/** Kubernetes events that runs of reconcilers record: their series and their pauses. */
@NullMarked
package dev.kubeinformer.internal.events;

import org.jspecify.annotations.NullMarked;
