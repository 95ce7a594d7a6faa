/**
 * The whole server, assembled from its rooms.
 */
@NullMarked
package dev.kubeinformer.test.internal.server;

import org.jspecify.annotations.NullMarked;
