/**
 * Opens LIST pages and WATCH streams on the HTTP client of an {@code ApiClient}.
 */
@NullMarked
package dev.kubeinformer.internal.transport;

import org.jspecify.annotations.NullMarked;
