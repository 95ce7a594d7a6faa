/**
 * Moving shards of several processes on a real API server: whether each object always
 * belongs to one process, and what that costs.
 */
@NullMarked
package dev.kubeinformer.benchmark.shards;

import org.jspecify.annotations.NullMarked;
