/** Effect of one cluster of an application on the others. */
@NullMarked
package dev.kubeinformer.benchmark.cluster;

import org.jspecify.annotations.NullMarked;
