/**
 * Versions, hashes and printable forms of texts. This room knows no other.
 */
@NullMarked
package dev.kubeinformer.internal.text;

import org.jspecify.annotations.NullMarked;
