/**
 * Configuration of clients, and files that are read again after they have changed.
 * Subpackages read kubeconfigs, certificates and credentials.
 */
@NullMarked
package dev.kubeinformer.internal.client;

import org.jspecify.annotations.NullMarked;
