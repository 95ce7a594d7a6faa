/** Effect of the starter on the start of an application. */
@NullMarked
package dev.kubeinformer.benchmark.startup;

import org.jspecify.annotations.NullMarked;
