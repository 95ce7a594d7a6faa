/**
 * Common parts of handlers and reconcilers: finding annotated beans, and reading and
 * calling their methods.
 */
@NullMarked
package dev.kubeinformer.spring.bean;

import org.jspecify.annotations.NullMarked;
