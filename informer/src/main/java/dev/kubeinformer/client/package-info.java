/**
 * Clients of the official library that connect wherever {@code kubectl} does: made of
 * kubeconfigs, of the service account of a pod, or of single settings, with credentials
 * and certificates that are read again when they change.
 */
@NullMarked
package dev.kubeinformer.client;

import org.jspecify.annotations.NullMarked;
