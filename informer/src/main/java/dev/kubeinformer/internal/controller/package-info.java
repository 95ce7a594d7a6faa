/** Lifecycle of a reconciler: its container, its leadership and the caches it reads. */
@NullMarked
package dev.kubeinformer.internal.controller;

import org.jspecify.annotations.NullMarked;
