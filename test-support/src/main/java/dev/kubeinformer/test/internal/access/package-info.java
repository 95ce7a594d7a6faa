/**
 * Users, their rights and their kubeconfig.
 */
@NullMarked
package dev.kubeinformer.test.internal.access;

import org.jspecify.annotations.NullMarked;
