/**
 * Page that shows informers, handlers and reconcilers in a browser, under the management
 * endpoint.
 */
@NullMarked
package dev.kubeinformer.spring.console;

import org.jspecify.annotations.NullMarked;
