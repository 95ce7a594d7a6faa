/**
 * Handler methods: from an annotated bean to an event handler.
 */
@NullMarked
package dev.kubeinformer.spring.handler.method;

import org.jspecify.annotations.NullMarked;
