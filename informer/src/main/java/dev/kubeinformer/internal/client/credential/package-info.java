/**
 * Credentials that are read again when they may have changed: tokens, files, plugins.
 */
@NullMarked
package dev.kubeinformer.internal.client.credential;

import org.jspecify.annotations.NullMarked;
