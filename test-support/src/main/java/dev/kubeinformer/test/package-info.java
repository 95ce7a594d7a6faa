/**
 * Embedded API, a Kubernetes API server for tests over real HTTP, and a proxy for network
 * faults.
 */
@NullMarked
package dev.kubeinformer.test;

import org.jspecify.annotations.NullMarked;
