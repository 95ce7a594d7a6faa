/**
 * Versions, hashes and printable forms of texts. Does not depend on other packages.
 */
@NullMarked
package dev.kubeinformer.internal.text;

import org.jspecify.annotations.NullMarked;
