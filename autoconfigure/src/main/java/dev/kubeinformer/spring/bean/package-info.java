/**
 * What handlers and reconcilers share: how annotated beans are found, and how their
 * methods are read and called.
 */
@NullMarked
package dev.kubeinformer.spring.bean;

import org.jspecify.annotations.NullMarked;
