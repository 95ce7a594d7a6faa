/**
 * Credentials of a client: tokens, files and plugins. They are read again when they may
 * have changed.
 */
@NullMarked
package dev.kubeinformer.internal.client.credential;

import org.jspecify.annotations.NullMarked;
