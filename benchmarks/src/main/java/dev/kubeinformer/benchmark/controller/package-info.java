/**
 * Controllers of several clients side by side on a cluster.
 */
@NullMarked
package dev.kubeinformer.benchmark.controller;

import org.jspecify.annotations.NullMarked;
