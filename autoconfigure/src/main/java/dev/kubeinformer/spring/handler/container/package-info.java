/**
 * Containers of handlers: definition, registration, start and stop.
 */
@NullMarked
package dev.kubeinformer.spring.handler.container;

import org.jspecify.annotations.NullMarked;
