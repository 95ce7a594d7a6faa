/**
 * Informers: their specification, status and listeners, and snapshots of their caches.
 */
@NullMarked
package dev.kubeinformer.informer;

import org.jspecify.annotations.NullMarked;
