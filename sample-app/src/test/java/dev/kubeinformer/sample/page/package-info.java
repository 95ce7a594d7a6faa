/**
 * Tests of the page, over HTTP and in a browser.
 */
@NullMarked
package dev.kubeinformer.sample.page;

import org.jspecify.annotations.NullMarked;
