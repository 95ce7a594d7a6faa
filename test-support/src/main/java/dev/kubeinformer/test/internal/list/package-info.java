/**
 * The list verb, with its pages and continue tokens.
 */
@NullMarked
package dev.kubeinformer.test.internal.list;

import org.jspecify.annotations.NullMarked;
