/**
 * Failures of requests, with the Status objects of kube-apiserver.
 */
@NullMarked
package dev.kubeinformer.test.internal.status;

import org.jspecify.annotations.NullMarked;
