/**
 * Embedded in-memory Kubernetes API server, used over real HTTP, and a proxy for network
 * faults.
 */
@NullMarked
package dev.kubeinformer.test;

import org.jspecify.annotations.NullMarked;
