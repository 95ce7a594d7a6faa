/**
 * Custom resources to measure with: what they look like, and a program that makes many.
 */
@NullMarked
package dev.kubeinformer.benchmark.custom;

import org.jspecify.annotations.NullMarked;
