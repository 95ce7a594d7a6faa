/**
 * Beans that handle events: their containers, registry and error handling.
 */
@NullMarked
package dev.kubeinformer.spring.handler;

import org.jspecify.annotations.NullMarked;
