/**
 * An embedded Kubernetes API server in memory, spoken to over real HTTP, and a proxy for
 * network faults.
 */
@NullMarked
package dev.kubeinformer.test;

import org.jspecify.annotations.NullMarked;
