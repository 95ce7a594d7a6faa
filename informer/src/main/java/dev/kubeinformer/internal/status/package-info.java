/**
 * Status, notifications and log messages of informers.
 */
@NullMarked
package dev.kubeinformer.internal.status;

import org.jspecify.annotations.NullMarked;
