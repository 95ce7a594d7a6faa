/**
 * Auto-configuration of the official client: from properties, connection details,
 * kubeconfig or service account. What is public here and not named in the documentation
 * is internal to the starter.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.NullMarked;
