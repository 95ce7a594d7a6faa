/** Measurements on which decisions are based. */
@NullMarked
package dev.kubeinformer.benchmark;

import org.jspecify.annotations.NullMarked;
