/**
 * Application events about handlers, and the thread that publishes them.
 */
@NullMarked
package dev.kubeinformer.spring.handler.event;

import org.jspecify.annotations.NullMarked;
