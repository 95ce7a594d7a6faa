/**
 * Configuration of clients, and files that are checked for changes. Subpackages read
 * kubeconfigs, certificates and credentials.
 */
@NullMarked
package dev.kubeinformer.internal.client;

import org.jspecify.annotations.NullMarked;
