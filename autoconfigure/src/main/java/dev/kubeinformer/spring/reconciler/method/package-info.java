/**
 * Methods of annotated reconciler beans, adapted to functions of the engine.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler.method;

import org.jspecify.annotations.NullMarked;
