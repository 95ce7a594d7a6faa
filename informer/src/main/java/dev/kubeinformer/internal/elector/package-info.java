/**
 * Runtime of leader election: its loop, threads and requests.
 */
@NullMarked
package dev.kubeinformer.internal.elector;

import org.jspecify.annotations.NullMarked;
