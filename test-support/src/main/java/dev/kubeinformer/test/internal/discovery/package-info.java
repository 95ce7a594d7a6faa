/**
 * Documents about the server itself: versions, groups, resources and health.
 */
@NullMarked
package dev.kubeinformer.test.internal.discovery;

import org.jspecify.annotations.NullMarked;
