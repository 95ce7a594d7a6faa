/**
 * Processing ahead of time: what informers and handlers read by reflection.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
