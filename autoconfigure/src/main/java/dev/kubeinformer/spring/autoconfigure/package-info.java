/**
 * Auto-configuration of the Kubernetes client and of informers.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
