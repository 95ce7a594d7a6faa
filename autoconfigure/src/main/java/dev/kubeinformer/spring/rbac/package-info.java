/**
 * Computation of the RBAC roles that an application needs. Internal to the starter.
 */
@NullMarked
package dev.kubeinformer.spring.rbac;

import org.jspecify.annotations.NullMarked;
