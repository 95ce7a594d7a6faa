/**
 * Clients of the official library that connect wherever {@code kubectl} connects. They
 * are built from kubeconfigs, from the service account of a pod or from single settings,
 * and read credentials and certificates again when these change.
 */
@NullMarked
package dev.kubeinformer.client;

import org.jspecify.annotations.NullMarked;
