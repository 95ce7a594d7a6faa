/**
 * What a configuration of a client says, and files that are looked at again. The rooms
 * below read kubeconfigs, certificates and credentials.
 */
@NullMarked
package dev.kubeinformer.internal.client;

import org.jspecify.annotations.NullMarked;
