/**
 * Users, their permissions and their kubeconfig.
 */
@NullMarked
package dev.kubeinformer.test.internal.access;

import org.jspecify.annotations.NullMarked;
