/**
 * What the configuration says about informers and handlers, wherever it is written, and
 * how it becomes an {@link dev.kubeinformer.informer.InformerSpec}.
 */
@NullMarked
package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.NullMarked;
