/**
 * The server, assembled from the other packages.
 */
@NullMarked
package dev.kubeinformer.test.internal.server;

import org.jspecify.annotations.NullMarked;
