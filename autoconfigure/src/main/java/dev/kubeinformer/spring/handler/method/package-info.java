/**
 * Handler methods: adapts annotated beans to event handlers.
 */
@NullMarked
package dev.kubeinformer.spring.handler.method;

import org.jspecify.annotations.NullMarked;
