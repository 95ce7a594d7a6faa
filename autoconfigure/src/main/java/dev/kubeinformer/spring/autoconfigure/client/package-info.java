/**
 * Auto-configuration for the official client: from properties, connection details, kubeconfig or service account. Public types that the documentation does not mention are internal to the starter.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.NullMarked;
