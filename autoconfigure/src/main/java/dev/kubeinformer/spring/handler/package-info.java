/**
 * Beans that handle events: how they are found, called, started and stopped.
 */
@NullMarked
package dev.kubeinformer.spring.handler;

import org.jspecify.annotations.NullMarked;
