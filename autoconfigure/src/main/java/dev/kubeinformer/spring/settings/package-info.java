/**
 * Settings of informers and handlers from all places, and their conversion to an
 * {@link dev.kubeinformer.informer.InformerSpec}.
 */
@NullMarked
package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.NullMarked;
