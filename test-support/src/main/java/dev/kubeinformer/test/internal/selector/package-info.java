/**
 * Label and field selectors of lists and watches.
 */
@NullMarked
package dev.kubeinformer.test.internal.selector;

import org.jspecify.annotations.NullMarked;
