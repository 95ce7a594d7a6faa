/**
 * List-watch protocol. {@link dev.kubeinformer.internal.reflector.ListDecisions} and
 * {@link dev.kubeinformer.internal.reflector.WatchDecisions} have one switch for each
 * phase, from {@link dev.kubeinformer.types.Problem} to
 * {@link dev.kubeinformer.internal.reflector.Decision};
 * {@link dev.kubeinformer.internal.reflector.Reflector} carries the decisions out.
 */
@NullMarked
package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.NullMarked;
