/** Custom resources for measurements: their form, and a program that creates many. */
@NullMarked
package dev.kubeinformer.benchmark.custom;

import org.jspecify.annotations.NullMarked;
