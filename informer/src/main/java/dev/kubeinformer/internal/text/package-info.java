/**
 * Helpers for texts: versions, hashes, printable forms. Does not depend on other
 * packages.
 */
@NullMarked
package dev.kubeinformer.internal.text;

import org.jspecify.annotations.NullMarked;
