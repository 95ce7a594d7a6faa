/**
 * Informers in words: what is cached, its specification, its status and who is notified
 * of it.
 */
@NullMarked
package dev.kubeinformer.informer;

import org.jspecify.annotations.NullMarked;
